import type { MeasureSummary } from './summary.js';

/**
 * Two passes over the sorted values: exact enough for any number of readings, and the same
 * to the last bit in whatever order the files arrived.
 */
export function summariseMeasure(values: Iterable<number>): MeasureSummary {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  if (count === 0) {
    return { average: null, minimum: null, maximum: null, standard_deviation: null, count };
  }
  const average = sum(sorted) / count;
  const variance = sum(sorted.map((value) => (value - average) ** 2)) / count;
  return {
    average,
    minimum: sorted[0] ?? null,
    maximum: sorted[count - 1] ?? null,
    standard_deviation: Math.sqrt(variance),
    count,
  };
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
