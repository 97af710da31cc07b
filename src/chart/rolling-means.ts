import { figuresOf } from '../analysis/figures.js';
import type { MeasureName } from '../analysis/reading.js';
import type { MeanPoint, ReadingPoint } from './chart-figures.js';

/** A window is a fortieth of the axis: narrow enough to show a season, and wide enough for a calm line. */
const WINDOWS_ACROSS = 40;
const STEPS_IN_WINDOW = 6;
const STEPS_ACROSS = WINDOWS_ACROSS * STEPS_IN_WINDOW;

/**
 * The rolling means of all measures, each with the lowest and the highest value of its window, at even steps from one
 * end of the axis to the other. `points` are in order of position.
 */
export function rollingMeans(
  points: readonly ReadingPoint[],
  min: number,
  max: number,
): MeanPoint[] {
  const step = (max - min) / STEPS_ACROSS;
  const positions = Array.from({ length: STEPS_ACROSS + 1 }, (_, index) => min + index * step);
  const means = figuresOf((name) => meansAt(positions, step, points, name));
  return positions.map((at, index) => ({ at, ...figuresOf((name) => means[name][index] ?? null) }));
}

/** Null where a window holds no reading, and outside of the readings' own span. */
function meansAt(
  positions: readonly number[],
  step: number,
  points: readonly ReadingPoint[],
  name: MeasureName,
): MeanPoint[MeasureName][] {
  const measured = points.flatMap((point) => {
    const value = point[name];
    return value === null ? [] : [{ at: point.at, value }];
  });
  const half = (step * STEPS_IN_WINDOW) / 2;
  const first = (measured[0]?.at ?? 0) - step;
  const last = (measured.at(-1)?.at ?? 0) + step;
  let [from, until] = [0, 0];
  return positions.map((position) => {
    while ((measured[from]?.at ?? position) < position - half) from += 1;
    while ((measured[until]?.at ?? Number.POSITIVE_INFINITY) <= position + half) until += 1;
    const near = measured.slice(from, until).map(({ value }) => value);
    // The means end where the readings end, because further means would rest on fewer and fewer readings.
    if (near.length === 0 || position < first || position > last) return null;
    return {
      mean: near.reduce((sum, value) => sum + value) / near.length,
      low: near.reduce((low, value) => Math.min(low, value)),
      high: near.reduce((high, value) => Math.max(high, value)),
    };
  });
}
