import type { ScaleTime } from 'd3-scale';
import {
  type CountableTimeInterval,
  unixDay,
  utcHour,
  utcMinute,
  utcMonth,
  utcYear,
} from 'd3-time';
import { formatClock, formatDayOfYear, formatMonth, formatYear } from './calendar.js';

export interface Tick {
  at: number;
  label: string;
}

interface Unit {
  interval: CountableTimeInterval;
  /** About how long it is, in milliseconds. */
  length: number;
  fine: (time: number) => string;
  coarse: (time: number) => string;
}

interface Step {
  unit: Unit;
  count: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365.25 * day;

const minutes = {
  interval: utcMinute,
  length: minute,
  fine: formatClock,
  coarse: formatDayOfYear,
};
const hours = { ...minutes, interval: utcHour, length: hour };
const days = { interval: unixDay, length: day, fine: formatDayOfYear, coarse: formatYear };
const months = { interval: utcMonth, length: year / 12, fine: formatMonth, coarse: formatYear };
const years = { interval: utcYear, length: year, fine: formatYear, coarse: () => '' };

const steps: Step[] = [
  ...stepsOf(minutes, 1, 5, 15, 30),
  ...stepsOf(hours, 1, 2, 3, 6, 12),
  ...stepsOf(days, 1, 2, 3, 7, 14),
  ...stepsOf(months, 1, 2, 3, 6),
  ...stepsOf(years, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
];
const longestStep: Step = { unit: years, count: 10_000 };

function stepsOf(unit: Unit, ...counts: number[]): Step[] {
  return counts.map((count) => ({ unit, count }));
}

/**
 * Round moments of the scale, about `most` of them and at most one more, for months differ in length.
 * The second line of a label says the day or the year, on the first tick and wherever it changes.
 */
export function timeTicks(scale: ScaleTime<number, number>, most: number): Tick[] {
  const [first, last] = scale.domain().map(Number);
  const span = (last ?? 0) - (first ?? 0);
  const { unit, count } =
    steps.find((step) => span / (step.unit.length * step.count) <= most - 1) ?? longestStep;
  let previous = '';
  return scale.ticks(unit.interval.every(count) ?? unit.interval).map((date) => {
    const at = date.getTime();
    const coarse = unit.coarse(at);
    const label = coarse === previous ? unit.fine(at) : `${unit.fine(at)}\n${coarse}`;
    previous = coarse;
    return { at, label };
  });
}
