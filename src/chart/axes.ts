import { type ScaleLinear, scaleLinear } from 'd3-scale';
import {
  type TimeInterval,
  utcDay,
  utcHour,
  utcMinute,
  utcMonday,
  utcMonth,
  utcYear,
} from 'd3-time';
import { DAY_MS, MINUTE_MS } from '../base/utc-time.js';
import type { Span } from './chart-plan.js';
import { formatClock, formatDayOfYear, formatMonth, formatYear } from './chart-words.js';
import { plot } from './plot.js';

export interface Axis {
  scale: ScaleLinear<number, number>;
  ticks: Tick[];
}

interface Tick {
  at: number;
  /** With a line feed before a second line. */
  label: string;
}

const TWO_HOURS_MS = 120 * MINUTE_MS;

const tickRoom = 56;

/** Places readings from left to right by their clocks, with some space beside the outermost. */
export function timeAxis(span: Span | null): Axis {
  const [first, last] = span ?? [0, 0];
  const air = Math.max(TWO_HOURS_MS, (last - first) * 0.015);
  const ends: Span = [first - air, last + air];
  const scale = scaleLinear(ends, [plot.left, plot.right]);
  const most = 1 + Math.floor((plot.right - plot.left) / tickRoom);
  return { scale, ticks: span === null ? [] : timeTicks(...ends, most) };
}

/** An axis never spans less than this, so that noise does not look like a trend. */
const leastSpan = 30;
/** The least distance between two horizontal lines, in units of the height of the axis. */
const lineRoom = 32;

/** Places values from bottom to top, with some space around them. Both ends are multiples of five. */
export function valueAxis(values: readonly number[]): Axis {
  const { top, bottom } = plot;
  // Without any value, the picture still needs an axis.
  const [low, high] =
    values.length === 0 ? [60, 140] : [least(values), -least(values.map((value) => -value))];
  const half = Math.max(leastSpan, (high - low) * 1.06) / 2;
  const middle = (low + high) / 2;
  const ends = [
    Math.max(0, Math.floor((middle - half) / 5) * 5),
    Math.ceil((middle + half) / 5) * 5,
  ];
  const scale = scaleLinear(ends, [bottom, top]);
  const most = 1 + Math.floor((bottom - top) / lineRoom);
  const ticks = atMost(most, scale);
  return { scale, ticks: ticks.map((at) => ({ at, label: String(at) })) };
}

/** Spreading tens of thousands of values over the arguments of Math.min would fail. */
function least(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365.25 * DAY_MS;

/** Round moments, with about how many milliseconds lie between two of them. */
type Step = [interval: TimeInterval | null, length: number];

const evenDays = utcDay.filter((day) => utcDay.count(new Date(0), day) % 2 === 0);
const steps: readonly Step[] = [
  ...[1, 5, 15, 30].map((count): Step => [utcMinute.every(count), count * MINUTE_MS]),
  ...[1, 3, 6, 12].map((count): Step => [utcHour.every(count), count * HOUR_MS]),
  [utcDay, DAY_MS],
  [evenDays, 2 * DAY_MS],
  ...[1, 2].map((count): Step => [utcMonday.every(count), 7 * count * DAY_MS]),
  ...[1, 2, 3, 6].map((count): Step => [utcMonth.every(count), (count / 12) * YEAR_MS]),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000].map(
    (count): Step => [utcYear.every(count), count * YEAR_MS],
  ),
];

/** A label has a second line where the day or the year changes, unless it is a year itself. */
export function timeTicks(first: number, last: number, most: number): Tick[] {
  const [interval = null, length = 0] =
    steps.find(([, length]) => (last - first) / length <= most - 1) ?? [];
  const times = interval?.range(new Date(first), new Date(last + 1)).map(Number) ?? [];
  let previous = '';
  return times.map((at) => {
    const [fine, coarse] = labelsOf(at, length);
    const label = coarse === previous || coarse === '' ? fine : `${fine}\n${coarse}`;
    previous = coarse;
    return { at, label };
  });
}

function labelsOf(at: number, step: number): [fine: string, coarse: string] {
  if (step < DAY_MS) return [formatClock(at), formatDayOfYear(at)];
  if (step < 28 * DAY_MS) return [formatDayOfYear(at), formatYear(at)];
  return step < YEAR_MS ? [formatMonth(at), formatYear(at)] : [formatYear(at), ''];
}

/** d3 takes a number of ticks for a hint: asks for fewer until there are no more than there is room for. */
function atMost(most: number, { ticks }: Pick<Axis['scale'], 'ticks'>): number[] {
  for (let count = most; count > 0; count -= 1) {
    const found = ticks(count);
    if (found.length <= most) return found;
  }
  return [];
}
