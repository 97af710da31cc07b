/** An exact fraction, never negative. It is exact because the guarantee of the noise needs exact probabilities. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** As it was written: 0.1 becomes one tenth, not the nearest double. Throws where it is printed as 1e-7. */
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
