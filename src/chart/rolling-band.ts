export type Point = readonly [position: number, value: number];

export interface BandPoint {
  position: number;
  mean: number;
  low: number;
  high: number;
}

/** A fortieth of the axis: narrow enough for a season to show, wide enough to be calm. */
const WINDOWS_ACROSS = 40;
const STEPS_IN_WINDOW = 6;

/** Even steps between the ends of the axis. */
export function bandPositions(min: number, max: number): number[] {
  const step = stepBetween(min, max);
  const length = WINDOWS_ACROSS * STEPS_IN_WINDOW + 1;
  return Array.from({ length }, (_, index) => min + index * step);
}

function stepBetween(min: number, max: number): number {
  return (max - min) / (WINDOWS_ACROSS * STEPS_IN_WINDOW);
}

/**
 * The rolling mean of points in order of position, with the lowest and the highest value around
 * each, at these positions. Where a window holds no point the line has a gap, so there is one list
 * for each stretch without.
 */
export function rollingBand(points: readonly Point[], min: number, max: number): BandPoint[][] {
  const step = stepBetween(min, max);
  const half = (max - min) / WINDOWS_ACROSS / 2;
  const stretches: BandPoint[][] = [];
  let stretch: BandPoint[] = [];
  const first = (points[0]?.[0] ?? min) - step;
  const last = (points.at(-1)?.[0] ?? max) + step;
  let from = 0;
  for (const position of bandPositions(min, max)) {
    while (from < points.length && (points[from]?.[0] ?? 0) < position - half) from += 1;
    // Not beyond the readings, where fewer and fewer would be the mean.
    const inside = position >= first && position <= last;
    const band = inside ? bandAt(points, from, position, half) : null;
    if (band === null) {
      if (stretch.length > 0) stretches.push(stretch);
      stretch = [];
    } else {
      stretch.push(band);
    }
  }
  if (stretch.length > 0) stretches.push(stretch);
  return stretches;
}

function bandAt(
  points: readonly Point[],
  from: number,
  position: number,
  half: number,
): BandPoint | null {
  let count = 0;
  let sum = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let index = from; index < points.length; index += 1) {
    const [at, value] = points[index] ?? [Number.POSITIVE_INFINITY, 0];
    if (at > position + half) break;
    count += 1;
    sum += value;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return count === 0 ? null : { position, mean: sum / count, low, high };
}
