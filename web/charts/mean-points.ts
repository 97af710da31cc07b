import type { TrendPoint } from './trend-points.js';

/** Puts so many points in a row together at their mean, where there are too many to tell apart. */
export function meanPoints(points: readonly TrendPoint[], inARow: number): TrendPoint[] {
  if (inARow <= 1) return [...points];
  const means: TrendPoint[] = [];
  for (let start = 0; start < points.length; start += inARow) {
    const group = points.slice(start, start + inARow);
    const [last] = group.slice(-1);
    if (last === undefined) break;
    const beside = group.flatMap((point) => point.beside ?? []);
    means.push({
      ...last,
      time: mean(group.map(({ time }) => time)),
      value: mean(group.map(({ value }) => value)),
      spread: mean(group.map(({ spread }) => spread)),
      beside: beside.length === 0 ? null : mean(beside),
    });
  }
  return means;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
