/** Exact and never negative: the guarantee of the noise is about exact probabilities. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/**
 * The number as it was written: 0.1 is one tenth, not the nearest double. Throws unless it
 * prints as a plain decimal, which 1e-7 does not.
 */
export function fractionOf(decimal: number): Fraction {
  const [whole = '', places = ''] = String(decimal).split('.');
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
