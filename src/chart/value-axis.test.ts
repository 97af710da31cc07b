import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueAxis } from './value-axis.js';

test.each<[number[], ReturnType<typeof valueAxis>]>([
  [[118, 76, 64], { min: 60, max: 120, interval: 10 }],
  [[120], { min: 115, max: 125, interval: 5 }],
  [[300, 20], { min: 0, max: 350, interval: 50 }],
  [[], { min: 40, max: 160, interval: 20 }],
])('The axis for %j has round ends', (values, axis) => {
  expect(valueAxis(values)).toEqual(axis);
});

test('The axis holds every value, starts no lower than zero and has few steps', () => {
  const values = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(values, (list) => {
      const { min, max, interval } = valueAxis(list);
      expect(min).toBeGreaterThanOrEqual(0);
      expect(min).toBeLessThanOrEqual(Math.min(...list));
      expect(max).toBeGreaterThanOrEqual(Math.max(...list));
      expect((max - min) / interval).toBeLessThanOrEqual(12);
    }),
  );
});
