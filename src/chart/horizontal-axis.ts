import type { Reading } from '../analysis/reading.js';
import { type Tick, timeTicks } from './time-ticks.js';

export interface Axis {
  /** The ends of the axis, with some air beside the outermost readings. */
  min: number;
  max: number;
  ticks: Tick[];
  /** Null: the ticks speak for themselves. */
  name: string | null;
}

export interface HorizontalAxis extends Axis {
  /** The readings that have a place on it, from left to right. */
  readings: readonly Reading[];
  /** Where each of them stands. */
  positions: readonly number[];
}

const twoHours = 2 * 60 * 60 * 1000;

/** Time, for the readings that have one; the number of the reading where none has. */
export function horizontalAxis(readings: readonly Reading[]): HorizontalAxis {
  const dated = readings
    .flatMap((reading) => (reading.time === null ? [] : [{ reading, time: reading.time }]))
    .sort((a, b) => a.time - b.time);
  if (dated.length === 0) {
    const positions = readings.map((_, index) => index + 1);
    return { readings, positions, ...orderAxis(readings.length, 15) };
  }
  const positions = dated.map(({ time }) => time);
  const axis = timeAxis(positions[0] ?? 0, positions.at(-1) ?? 0, 11);
  return { readings: dated.map(({ reading }) => reading), positions, ...axis };
}

/** With at most `most` ticks. */
export function timeAxis(first: number, last: number, most: number): Axis {
  const [min, max] = withAir(first, last, twoHours);
  return { min, max, ticks: timeTicks(min, max, most), name: null };
}

/** The numbers of so many readings, with at most `most` ticks. */
export function orderAxis(count: number, most: number): Axis {
  const [min, max] = withAir(1, Math.max(1, count), 1);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => count / size <= most);
  const every = step ?? 10 ** Math.ceil(Math.log10(count / most));
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
