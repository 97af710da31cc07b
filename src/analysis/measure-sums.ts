/** Values are counted in hundredths, because whole numbers add up exactly in any order. */
const PER_UNIT = 100;

/** All sums are in hundredths, except the count; the squares are squares of hundredths. */
export interface MeasureSums {
  count: number;
  sum: number;
  squares: number;
  minimum: number;
  maximum: number;
}

/** The sums of the values; null if there are no values. */
export function sumsOf(values: Iterable<number>): MeasureSums | null {
  let [count, sum, squares] = [0, 0, 0];
  let [minimum, maximum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    const hundredths = Math.round(value * PER_UNIT);
    count += 1;
    sum += hundredths;
    squares += hundredths ** 2;
    minimum = Math.min(minimum, hundredths);
    maximum = Math.max(maximum, hundredths);
  }
  return count === 0 ? null : { count, sum, squares, minimum, maximum };
}

/** Adds sums; the result equals the sums over all values at once. */
export function addSums(all: readonly (MeasureSums | null)[]): MeasureSums | null {
  return all.reduce((one, other) => {
    if (one === null || other === null) return one ?? other;
    return {
      count: one.count + other.count,
      sum: one.sum + other.sum,
      squares: one.squares + other.squares,
      minimum: Math.min(one.minimum, other.minimum),
      maximum: Math.max(one.maximum, other.maximum),
    };
  }, null);
}

/** The part of the sums from which an average is computed. */
export type SumAndCount = Pick<MeasureSums, 'sum' | 'count'>;

/** The average, not rounded, because other figures are computed from it; null if there are no values. */
export function averageOf({ sum, count }: SumAndCount): number | null {
  return count === 0 ? null : sum / count / PER_UNIT;
}

/** Figures are rounded once, before they are sent: more digits would tell which readings were added up. */
export function rounded(figure: number | null): number | null {
  return figure === null ? null : Math.round(figure * PER_UNIT) / PER_UNIT;
}

/** The rounded figures; the standard deviation is that of a population, not of a sample. */
export function summariseMeasure(sums: MeasureSums | null) {
  return {
    average: sums && rounded(averageOf(sums)),
    minimum: sums && sums.minimum / PER_UNIT,
    maximum: sums && sums.maximum / PER_UNIT,
    standard_deviation: sums && rounded(deviationOf(sums)),
    count: sums?.count ?? 0,
  };
}

function deviationOf({ count, sum, squares }: MeasureSums): number {
  const [n, total] = [BigInt(count), BigInt(sum)];
  const scaled = Number(n * BigInt(squares) - total * total);
  return Math.sqrt(scaled) / count / PER_UNIT;
}
