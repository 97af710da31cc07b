/** Sums over any number of values: enough for every figure, and two of them can be merged. */
export interface MeasureAggregate {
  count: number;
  mean: number;
  /** The sum of the squared deviations from the mean. */
  squares: number;
  minimum: number;
  maximum: number;
}

/**
 * Null without values. Two passes over the sorted values: exact enough for any number of
 * readings, and the same to the last bit in whatever order the files arrived.
 */
export function aggregateMeasure(values: Iterable<number>): MeasureAggregate | null {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  const minimum = sorted[0];
  const maximum = sorted[count - 1];
  if (minimum === undefined || maximum === undefined) return null;
  const mean = sum(sorted) / count;
  return {
    count,
    mean,
    squares: sum(sorted.map((value) => (value - mean) ** 2)),
    minimum,
    maximum,
  };
}

/** The same as aggregating the values of all parts at once, up to rounding. */
export function mergeMeasures(
  parts: readonly (MeasureAggregate | null)[],
): MeasureAggregate | null {
  const filled = parts.filter((part) => part !== null);
  if (filled.length === 0) return null;
  const count = filled.reduce((total, part) => total + part.count, 0);
  const mean = filled.reduce((total, part) => total + part.mean * (part.count / count), 0);
  return {
    count,
    mean,
    squares: filled.reduce(
      (total, part) => total + part.squares + part.count * (part.mean - mean) ** 2,
      0,
    ),
    minimum: Math.min(...filled.map((part) => part.minimum)),
    maximum: Math.max(...filled.map((part) => part.maximum)),
  };
}

/** The standard deviation is that of a population, not of a sample. */
export function summariseMeasure(aggregate: MeasureAggregate | null) {
  return {
    average: aggregate?.mean ?? null,
    minimum: aggregate?.minimum ?? null,
    maximum: aggregate?.maximum ?? null,
    standard_deviation: aggregate === null ? null : Math.sqrt(aggregate.squares / aggregate.count),
    count: aggregate?.count ?? 0,
  };
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
