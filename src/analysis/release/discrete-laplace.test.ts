import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../test/support/seeded-random.js';
import { drawBelow, drawDiscreteLaplace, type RandomBytes } from './discrete-laplace.js';
import { fractionOf } from './fraction.js';

const DRAWS = 20_000;
/** The middle bins are single values, from -9 to 9; the outer two are all below and above. */
const EDGE = 10;
/** A statistic above this comes once in a thousand tries by chance, with 20 degrees of freedom. */
const CRITICAL = 45.31;

/** Exactly exp(-|x| / scale), divided by the sum of all. */
function probability(x: number, scale: number): number {
  const ratio = Math.exp(-1 / scale);
  return ((1 - ratio) / (1 + ratio)) * ratio ** Math.abs(x);
}

function chiSquared(draw: () => number, scale: number): number {
  const observed = new Map<number, number>();
  for (let i = 0; i < DRAWS; i += 1) {
    const bin = Math.min(Math.max(draw(), -EDGE), EDGE);
    observed.set(bin, (observed.get(bin) ?? 0) + 1);
  }
  const ratio = Math.exp(-1 / scale);
  const tail = ratio ** EDGE / (1 + ratio);
  let statistic = 0;
  for (let bin = -EDGE; bin <= EDGE; bin += 1) {
    const expected = DRAWS * (Math.abs(bin) === EDGE ? tail : probability(bin, scale));
    statistic += ((observed.get(bin) ?? 0) - expected) ** 2 / expected;
  }
  return statistic;
}

describe('Discrete Laplace noise', () => {
  test.each([
    [1, 1],
    [5, 2],
    [7, 1],
    [2, 3],
  ])('[5.15] of scale %i/%i has the probabilities that it should', (numerator, denominator) => {
    const scale = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
    const random = seededRandom(`scale ${numerator}/${denominator}`);
    const draw = () => Number(drawDiscreteLaplace(scale, random));
    expect(chiSquared(draw, numerator / denominator)).toBeLessThan(CRITICAL);
  });

  test('[5.15] has the spread of its scale where that is large and not whole: 1200 / 0.7', () => {
    const epsilon = fractionOf(0.7);
    const scale = { numerator: 1200n * epsilon.denominator, denominator: epsilon.numerator };
    const random = seededRandom('large');
    const draws = Array.from({ length: 20_000 }, () => Number(drawDiscreteLaplace(scale, random)));
    const meanSize = draws.reduce((sum, x) => sum + Math.abs(x), 0) / draws.length;
    const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
    // The size has the mean and the deviation 1714.3, the mean of 20,000 one of 12.1 and 17.1.
    expect(Math.abs(meanSize - 1714.3)).toBeLessThan(4 * 12.1);
    expect(Math.abs(mean)).toBeLessThan(4 * 17.1);
  });
});

describe('A uniform whole number', () => {
  test('[5.15] is below its bound, and what does not fit is drawn again rather than folded', () => {
    const drawn = [7, 6, 5, 4, 3];
    const random: RandomBytes = () => Uint8Array.of(0xf8 + (drawn.shift() ?? 0));
    // Three bits: 7, 6 and 5 do not fit.
    expect(drawBelow(5n, random)).toBe(4n);
    expect(drawn).toEqual([3]);
  });

  test('[5.15] of any bound stays below it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 80n }), fc.string(), (bound, seed) => {
        const drawn = drawBelow(bound, seededRandom(seed));
        expect(drawn >= 0n && drawn < bound).toBe(true);
      }),
    );
  });
});

test('a decimal is taken as it is written', () => {
  expect(fractionOf(0.1)).toEqual({ numerator: 1n, denominator: 10n });
  expect(fractionOf(2)).toEqual({ numerator: 2n, denominator: 1n });
  expect(fractionOf(12.345)).toEqual({ numerator: 12345n, denominator: 1000n });
  expect(() => fractionOf(1e-7)).toThrow(SyntaxError);
});
