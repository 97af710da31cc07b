export interface ValueAxis {
  min: number;
  max: number;
  /** Where lines lead across. */
  ticks: number[];
}

/** The narrowest span, so that noise does not look like a trend. */
const leastSpan = 30;
/** The least distance of the lines across. */
const stepHeight = 32;
const leastStep = 5;

/** An axis around the values, with some air, that ends at whole fives. */
export function valueAxis(values: Iterable<number>, height: number): ValueAxis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // A picture without any figure.
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

/** The next 1, 2 or 5 with any number of zeros. */
export function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= atLeast) ?? 10;
  return factor * power;
}
