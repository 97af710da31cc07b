import { roundStep } from '../../src/chart/layout/value-axis.js';

const fewest = 3;

/** Round values within the domain, about `wanted` of them, and never so few that they tell no scale. */
export function niceTicks([low, high]: readonly [number, number], wanted: number): number[] {
  const width = high - low;
  if (!(width > 0) || wanted < 1) return [low];
  for (let atLeast = width / wanted; ; atLeast /= 2) {
    const step = roundStep(atLeast);
    const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
    const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
    if (ticks.length >= fewest) return ticks;
  }
}

/** The values' span with room around it, never narrower than `least`: noise must not look like a trend. */
export function spanOf(values: readonly number[], least: number): [number, number] {
  if (values.length === 0) return [0, least];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max((least - (high - low)) / 2, (high - low) * 0.08);
  return [low - room, high + room];
}
