import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueAxis } from './value-axis.js';

test.each<[number[], ReturnType<typeof valueAxis>]>([
  // 54 and its air are 57.2: from 62.4 to 119.6. 32 of 300 pixels are 6.4 of 60.
  [[118, 76, 64], { min: 60, max: 120, ticks: [60, 70, 80, 90, 100, 110, 120] }],
  // The least span, to either side of one value.
  [[120], { min: 105, max: 135, ticks: [105, 110, 115, 120, 125, 130, 135] }],
  // 280 and its air: from 11.6 to 308.4. 32 of 300 pixels are 32 of 300.
  [[300, 20], { min: 10, max: 310, ticks: [50, 100, 150, 200, 250, 300] }],
  [[], { min: 55, max: 145, ticks: [60, 70, 80, 90, 100, 110, 120, 130, 140] }],
])('The axis for %j has ends at whole fives and round ticks', (values, axis) => {
  expect(valueAxis(values, 300)).toEqual(axis);
});

test('The axis holds every value, starts no lower than zero and has few ticks, all inside', () => {
  const values = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(values, (list) => {
      const { min, max, ticks } = valueAxis(list, 320);
      expect(min).toBeGreaterThanOrEqual(0);
      expect(min).toBeLessThanOrEqual(Math.min(...list));
      expect(max).toBeGreaterThanOrEqual(Math.max(...list));
      expect(ticks.length).toBeLessThanOrEqual(11);
      expect(ticks.length).toBeGreaterThan(0);
      expect(Math.min(...ticks)).toBeGreaterThanOrEqual(min);
      expect(Math.max(...ticks)).toBeLessThanOrEqual(max);
    }),
  );
});
