import { describe, expect, test } from 'vitest';
import { linearScale } from '../../src/chart/layout/linear-scale.js';
import { niceTicks, spanOf } from './scale.js';

describe('the scales of the pictures', () => {
  test('a scale maps the ends of its domain to the ends of its range', () => {
    const scale = linearScale([100, 140], [200, 0]);
    expect([100, 120, 140].map(scale)).toEqual([200, 100, 0]);
  });

  test('a domain of one value is drawn in the middle', () => {
    expect(linearScale([5, 5], [0, 10])(5)).toBe(5);
  });

  test.each([
    [[100, 140], 4, [100, 110, 120, 130, 140]],
    [[101, 119], 4, [105, 110, 115]],
    [[0, 1], 2, [0, 0.5, 1]],
    [[101, 149], 1, [110, 120, 130, 140]],
    [[104, 124], 2, [105, 110, 115, 120]],
    [[7, 7], 4, [7]],
  ] as const)('%j has the ticks for about %i', (domain, wanted, ticks) => {
    expect(niceTicks(domain, wanted)).toEqual(ticks);
  });

  test('a span is never narrower than the least, and leaves room', () => {
    expect(spanOf([120, 121], 10)).toEqual([115.5, 125.5]);
    expect(spanOf([100, 150], 10)).toEqual([96, 154]);
    expect(spanOf([], 10)).toEqual([0, 10]);
  });
});
