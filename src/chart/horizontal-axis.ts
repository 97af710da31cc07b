import type { Reading } from '../analysis/reading.js';
import { type Tick, timeTicks } from './time-ticks.js';

export interface HorizontalAxis {
  /** The readings that have a place on it, from left to right. */
  readings: readonly Reading[];
  /** Where each of them stands. */
  positions: readonly number[];
  /** The ends of the axis, with some air beside the outermost readings. */
  min: number;
  max: number;
  ticks: Tick[];
  /** Null: the ticks speak for themselves. */
  name: string | null;
}

const mostTicks = 11;
const twoHours = 2 * 60 * 60 * 1000;

/** Time, for the readings that have one; the number of the reading where none has. */
export function horizontalAxis(readings: readonly Reading[]): HorizontalAxis {
  const dated = readings
    .flatMap((reading) => (reading.time === null ? [] : [{ reading, time: reading.time }]))
    .sort((a, b) => a.time - b.time);
  if (dated.length === 0) return numbered(readings);
  const positions = dated.map(({ time }) => time);
  const [min, max] = withAir(positions[0] ?? 0, positions.at(-1) ?? 0, twoHours);
  const ticks = timeTicks(min, max, mostTicks);
  return { readings: dated.map(({ reading }) => reading), positions, min, max, ticks, name: null };
}

function numbered(readings: readonly Reading[]): HorizontalAxis {
  const positions = readings.map((_, index) => index + 1);
  const [min, max] = withAir(1, Math.max(1, readings.length), 1);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => readings.length / size <= 15);
  const every = step ?? 10 ** Math.ceil(Math.log10(readings.length / 15));
  const ticks = positions
    .filter((number) => number % every === 0)
    .map((number) => ({ at: number, label: String(number) }));
  return { readings, positions, min, max, ticks, name: 'Number of the reading' };
}

function withAir(first: number, last: number, least: number): [min: number, max: number] {
  const air = Math.max(least, (last - first) * 0.015);
  return [first - air, last + air];
}
