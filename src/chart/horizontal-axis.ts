import type { Reading } from '../analysis/reading.js';
import type { ReadingPoint } from '../documents/chart-document.js';
import { type Tick, timeTicks } from './time-ticks.js';
import { roundStep } from './value-axis.js';

export interface Axis {
  /** The ends of the axis, with some air beside the outermost readings. */
  min: number;
  max: number;
  ticks: Tick[];
  /** Null: the ticks speak for themselves. */
  name: string | null;
}

const twoHours = 2 * 60 * 60 * 1000;

/**
 * The readings that have a place on the axis, from left to right: by time, those that have one; by
 * number where none has, and there is no span then.
 */
export function horizontalAxis(readings: readonly Reading[]): {
  points: ReadingPoint[];
  span: readonly [first: number, last: number] | null;
  axis: Axis;
} {
  const dated = readings
    .flatMap(({ time, ...values }) => (time === null ? [] : [{ at: time, ...values }]))
    .sort((a, b) => a.at - b.at);
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined || last === undefined) {
    const points = readings.map(({ time: _, ...values }, index) => ({ at: index + 1, ...values }));
    return { points, span: null, axis: orderAxis(readings.length, 15) };
  }
  return { points: dated, span: [first.at, last.at], axis: timeAxis(first.at, last.at, 11) };
}

/** With at most `most` ticks. */
export function timeAxis(first: number, last: number, most: number): Axis {
  const [min, max] = withAir(first, last, twoHours);
  return { min, max, ticks: timeTicks(min, max, most), name: null };
}

/** The numbers of so many readings, with at most `most` ticks. */
export function orderAxis(count: number, most: number): Axis {
  const [min, max] = withAir(1, Math.max(1, count), 1);
  const every = roundStep(Math.max(1, count / most));
  const ticks = Array.from({ length: Math.floor(count / every) }, (_, index) => {
    const number = (index + 1) * every;
    return { at: number, label: String(number) };
  });
  return { min, max, ticks, name: 'Number of the reading' };
}

function withAir(first: number, last: number, least: number): [min: number, max: number] {
  const air = Math.max(least, (last - first) * 0.015);
  return [first - air, last + air];
}
