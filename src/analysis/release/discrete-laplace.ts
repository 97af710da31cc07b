import { randomBytes } from 'node:crypto';
import type { Fraction } from './fraction.js';

/** The source of random bytes. It is a parameter so that tests can repeat a draw. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * A whole number x with probability proportional to exp(-|x| / scale), drawn by Algorithm 2 of
 * Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020). It works
 * on whole numbers only, because floating-point rounding would let the noise leak what it hides.
 */
export function drawDiscreteLaplace(scale: Fraction, random: RandomBytes = randomBytes): bigint {
  const { numerator: t, denominator: s } = scale;
  for (;;) {
    const remainder = drawBelow(t, random);
    if (!drawExpOfMinus({ numerator: remainder, denominator: t }, random)) continue;
    let quotient = 0n;
    while (drawExpOfMinus(one, random)) quotient += 1n;
    const magnitude = (remainder + t * quotient) / s;
    const isNegative = drawBelow(2n, random) === 1n;
    // Minus zero is rejected: otherwise zero would be drawn twice as often as it should.
    if (isNegative && magnitude === 0n) continue;
    return isNegative ? -magnitude : magnitude;
  }
}

const one: Fraction = { numerator: 1n, denominator: 1n };

/** True with probability exp(-exponent), for an exponent from 0 to 1 (Algorithm 1 of the paper). */
function drawExpOfMinus({ numerator, denominator }: Fraction, random: RandomBytes): boolean {
  let k = 1n;
  while (drawBelow(denominator * k, random) < numerator) k += 1n;
  return k % 2n === 1n;
}

/** A uniform whole number from 0 to below the bound; a draw that is too large is repeated. */
export function drawBelow(bound: bigint, random: RandomBytes = randomBytes): bigint {
  const bits = (bound - 1n).toString(2).length;
  const mask = (1n << BigInt(bits)) - 1n;
  for (;;) {
    const bytes = Buffer.from(random(Math.ceil(bits / 8))).toString('hex');
    const drawn = BigInt(`0x${bytes}`) & mask;
    if (drawn < bound) return drawn;
  }
}
