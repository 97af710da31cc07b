import type { PlotBox } from './chart-layout.js';

export interface ValueAxis {
  min: number;
  max: number;
  interval: number;
}

/** Round numbers around the values, with some air; equal values still get a readable scale. */
export function valueAxis(values: Iterable<number>): ValueAxis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { min: 40, max: 160, interval: 20 };
  const air = Math.max(high - low, 30) * 0.03;
  const interval = Math.max(5, roundStep((high - low + 2 * air) / 10));
  return {
    min: Math.max(0, Math.floor((low - air) / interval) * interval),
    max: Math.ceil((high + air) / interval) * interval,
    interval,
  };
}

export function pixelOf(value: number, axis: ValueAxis, box: PlotBox): number {
  const share = (value - axis.min) / (axis.max - axis.min);
  return box.bottom - share * (box.bottom - box.top);
}

/** The next 1, 2 or 5 with any number of zeros. */
export function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= atLeast) ?? 10;
  return factor * power;
}
