import { expect, test } from 'vitest';
import { compareCohorts } from './compare-cohorts.js';

const pods = ['alice', 'bob', 'carla'].map((pod_id) => ({ pod_id, included_in_cohort: true }));
const leftOut = pods.map((pod, index) => ({ ...pod, included_in_cohort: index > 0 }));

test.each([
  [pods, pods, null],
  [pods, pods.toReversed(), null],
  [pods.slice(1), pods, '3 Pods, 1 new'],
  [pods, pods.slice(2), '1 Pod, 2 gone'],
  [pods.slice(0, 2), pods.slice(1), '2 Pods, 1 new, 1 gone'],
  [pods, leftOut, '2 Pods, 1 gone'],
  [leftOut, leftOut.slice(1), null],
])('two cohorts %#', (before, now, expected) => {
  expect(compareCohorts(before, now)).toBe(expected);
});
