import { expect, test } from 'vitest';
import { fewestUsefulPods, noiseError } from './expected-noise.js';

const rules = {
  epsilon: 1,
  bounds: { systolic: [80, 200], diastolic: [40, 120], heart_rate: [40, 120] },
} as const;

test('the noise of a figure is that of Laplace, √2 × width / epsilon, over the number of Pods', () => {
  expect(noiseError(rules, 'systolic', 1)).toBeCloseTo(Math.SQRT2 * 120, 2);
  expect(noiseError(rules, 'systolic', 100)).toBeCloseTo(1.7, 2);
  expect(noiseError({ ...rules, epsilon: 0.1 }, 'diastolic', 1000)).toBeCloseTo(1.13, 2);
});

test('noise is of use from the number of Pods on at which it is below the error of sampling, 15 / √Pods', () => {
  // (√2 × 120 / 15)² = 128.
  const fewest = fewestUsefulPods(rules);
  expect(fewest).toBe(128);
  expect(fewestUsefulPods({ ...rules, epsilon: 0.1 })).toBe(12_800);
});
