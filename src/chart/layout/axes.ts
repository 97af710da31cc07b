import { units } from '../../analysis/reading.js';
import type { ChartDocument } from '../../documents/chart-document.js';
import { formatClock, formatDayOfYear, formatMonth, formatYear } from './chart-words.js';
import { linearScale, type Scale } from './linear-scale.js';
import { halfLetter, type Mark, pathThrough, type Text } from './marks.js';
import { numbersEnd, type PlotBox } from './plot-box.js';
import { roundStep } from './value-axis.js';

interface HorizontalAxis {
  /** Maps the place of a reading to a pixel. */
  x: Scale;
  ticks: Tick[];
  /** The name of the axis; null if the ticks need no explanation. */
  name: string | null;
}

/** The width of a label with some space beside it. */
const tickRoom = 56;
const twoHours = 2 * 60 * 60 * 1000;

export function horizontalAxis(figures: ChartDocument, { left, right }: PlotBox): HorizontalAxis {
  const [min, max] = axisEnds(figures);
  const x = linearScale([min, max], [left, right]);
  const most = 1 + Math.floor((right - left) / tickRoom);
  if (figures.positions === 'order') {
    const ticks = numberTicks(figures.reading_count, most);
    return { x, ticks, name: 'Number of the reading' };
  }
  return { x, ticks: timeTicks(min, max, most), name: null };
}

/**
 * The ends of the axis, with some space beside the outermost readings. For rolling means no space is added, because
 * their first and last points lie at the ends of the axis already.
 */
export function axisEnds({ positions, drawn, points }: ChartDocument): [min: number, max: number] {
  const [first, last] = [points[0]?.at ?? 1, points.at(-1)?.at ?? 1];
  if (drawn === 'rolling_mean') return [first, last];
  const air = Math.max(positions === 'order' ? 1 : twoHours, (last - first) * 0.015);
  return [first - air, last + air];
}

function numberTicks(count: number, most: number): Tick[] {
  const every = roundStep(Math.max(1, count / most));
  return Array.from({ length: Math.floor(count / every) }, (_, index) => {
    const number = (index + 1) * every;
    return { at: number, label: String(number) };
  });
}

interface Tick {
  at: number;
  label: string;
}

/** A series of numbered moments, such as every midnight, or the first day of every third month. */
interface Step {
  /** About how many milliseconds lie between two moments. */
  length: number;
  /** The number of the last moment at or before `time`. */
  numberAt: (time: number) => number;
  at: (number: number) => number;
  fine: (time: number) => string;
  coarse: (time: number) => string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const month = (365.25 / 12) * day;

const ofClock = { fine: formatClock, coarse: formatDayOfYear };
const ofDays = { fine: formatDayOfYear, coarse: formatYear };
const ofMonths = { fine: formatMonth, coarse: formatYear };
const ofYears = { fine: formatYear, coarse: () => '' };

const steps: Step[] = [
  ...[1, 5, 15, 30].map((count) => equalSteps(count * minute, ofClock)),
  ...[1, 2, 3, 6, 12].map((count) => equalSteps(count * hour, ofClock)),
  ...[1, 2, 3, 7, 14].map((count) => equalSteps(count * day, ofDays)),
  ...[1, 2, 3, 6].map((count) => stepsOfMonths(count, ofMonths)),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((years) => stepsOfMonths(12 * years, ofYears)),
];
const longestStep = stepsOfMonths(12 * 10_000, ofYears);

function equalSteps(length: number, labels: Pick<Step, 'fine' | 'coarse'>): Step {
  return {
    length,
    numberAt: (time) => Math.floor(time / length),
    at: (number) => number * length,
    ...labels,
  };
}

function stepsOfMonths(count: number, labels: Pick<Step, 'fine' | 'coarse'>): Step {
  return {
    length: count * month,
    numberAt(time) {
      const date = new Date(time);
      return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / count);
    },
    at: (number) => new Date(0).setUTCFullYear(0, number * count, 1),
    ...labels,
  };
}

/**
 * Round moments between two times: at most `most`, and often fewer. The first label has a second line with the day or
 * the year, and so has each label at which the day or the year changes. Labels that are years have one line.
 */
export function timeTicks(first: number, last: number, most: number): Tick[] {
  const step = steps.find(({ length }) => (last - first) / length <= most - 1) ?? longestStep;
  const ticks: Tick[] = [];
  let previous = '';
  for (let number = step.numberAt(first); step.at(number) <= last; number += 1) {
    const at = step.at(number);
    if (at < first) continue;
    const coarse = step.coarse(at);
    ticks.push({ at, label: coarse === previous ? step.fine(at) : `${step.fine(at)}\n${coarse}` });
    previous = coarse;
  }
  return ticks;
}

const tickLength = 5;
const lineHeight = 15;

/** Draws both axes: values with lines across the plot, moments with ticks, and the names of the axes. */
export function axes(
  { x, ticks, name }: HorizontalAxis,
  values: readonly number[],
  y: Scale,
  plot: PlotBox,
  withHeartRate: boolean,
): { marks: Mark[]; texts: Text[] } {
  const { left, right, bottom } = plot;
  const pressure = `Blood pressure (${units.systolic})`;
  const both = `${pressure} and heart rate (${units.heart_rate})`;
  return {
    marks: [
      ...values.map((value) => mark('grid', [numbersEnd, y(value)], [right, y(value)])),
      mark('axis', [left, bottom], [right, bottom]),
      ...ticks.map(({ at }) => mark('axis', [x(at), bottom], [x(at), bottom + tickLength])),
    ],
    texts: [
      tick(withHeartRate ? both : pressure, 0, 11, 'start'),
      ...values.map((value) => tick(String(value), numbersEnd - 6, y(value) + halfLetter, 'end')),
      ...ticks.flatMap(({ at, label }) =>
        label
          .split('\n')
          .map((line, index) => tick(line, x(at), bottom + 19 + index * lineHeight, 'middle')),
      ),
      ...(name === null ? [] : [tick(name, right, bottom + 19 + lineHeight, 'end')]),
    ],
  };
}

/**
 * Marks, on the horizontal axis, the stretch from the first to the last reading of the home average.
 */
export function homeDays({ home }: ChartDocument, x: Scale, { bottom }: PlotBox): Mark[] {
  if (home === undefined) return [];
  return [
    { look: 'week', measure: null, d: pathThrough([x(home.from), bottom], [x(home.to), bottom]) },
  ];
}

function mark(look: 'grid' | 'axis', ...ends: [x: number, y: number][]): Mark {
  return { look, measure: null, d: pathThrough(...ends) };
}

function tick(text: string, x: number, y: number, anchor: Text['anchor']): Text {
  return { look: 'tick', measure: null, text, x, y, anchor };
}
