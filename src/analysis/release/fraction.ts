/** Exact, because the promise of the noise is about exact probabilities. Never negative. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** As the number was written: 0.1 is one tenth, and not the nearest double. */
export function fractionOf(decimal: number): Fraction {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(String(decimal));
  if (match === null) throw new RangeError(`${decimal} is not written as a plain decimal.`);
  const [, whole = '', places = ''] = match;
  return { numerator: BigInt(whole + places), denominator: 10n ** BigInt(places.length) };
}

export function addFractions(one: Fraction, other: Fraction): Fraction {
  return {
    numerator: one.numerator * other.denominator + other.numerator * one.denominator,
    denominator: one.denominator * other.denominator,
  };
}

export function isAtMost(one: Fraction, other: Fraction): boolean {
  return one.numerator * other.denominator <= other.numerator * one.denominator;
}
