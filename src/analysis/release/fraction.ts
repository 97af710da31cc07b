/** Exact, because the promise of the noise is about exact probabilities. Never negative. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/**
 * As the number was written: 0.1 is one tenth, and not the nearest double. Throws for what is
 * not written as a plain decimal, such as 1e-7.
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
