export interface ValueAxis {
  min: number;
  max: number;
  /** The values at which horizontal lines are drawn. */
  ticks: number[];
}

/** An axis never spans less than this, so that noise does not look like a trend. */
const leastSpan = 30;
/** The least distance between two horizontal lines, in units of the height of the axis. */
const stepHeight = 32;
const leastStep = 5;

/** An axis with some space around the values. Both ends are multiples of five. */
export function valueAxis(values: Iterable<number>, height: number): ValueAxis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // Without any value, the picture still needs an axis.
  if (low > high) [low, high] = [60, 140];
  const span = Math.max(leastSpan, (high - low) * 1.06);
  const middle = (low + high) / 2;
  const min = Math.max(0, Math.floor((middle - span / 2) / leastStep) * leastStep);
  const max = Math.ceil((middle + span / 2) / leastStep) * leastStep;
  const step = Math.max(leastStep, roundStep(((max - min) * stepHeight) / height));
  const [first, last] = [Math.ceil(min / step), Math.floor(max / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min, max, ticks };
}

/** The least number of the form 1, 2 or 5 times a power of ten that is not below `atLeast`. */
export function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= atLeast) ?? 10;
  return factor * power;
}
