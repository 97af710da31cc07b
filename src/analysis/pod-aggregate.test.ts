import { expect, test } from 'vitest';
import { type AnalysisRules, MOST_DRAWN, PodAggregator } from './pod-aggregate.js';
import type { Reading } from './reading.js';

const rules: AnalysisRules = {
  now: Date.UTC(2026, 8, 30),
  windowDays: null,
  plausible: { systolic: [40, 300], diastolic: [20, 200], heart_rate: [20, 250] },
};
const reading = (changes: Partial<Reading>): Reading => ({
  time: 0,
  offset: 0,
  systolic: 120,
  diastolic: 80,
  heart_rate: 60,
  ...changes,
});
const file = (...readings: Reading[]) => ({ readings, incomplete: 0, isCut: false });
const create = (keepsReadings = true) => new PodAggregator({ rules, keepsReadings });

test('files come to the same figures in whatever order, and to a picture by time', () => {
  const files = [101, 102.5, 99.1, 250].map((systolic, index) =>
    file(reading({ time: 1000 * ((index * 3) % 4), systolic })),
  );
  const sum = (list: typeof files) => {
    const pod = create();
    for (const one of list) pod.add(one);
    return pod.end();
  };
  const { aggregate, readings, isThinned } = sum(files);
  expect(sum(files.toReversed())).toEqual({ aggregate, readings, isThinned });
  expect(aggregate.measures.systolic).toMatchObject({
    count: 4,
    mean: (101 + 102.5 + 99.1 + 250) / 4,
  });
  expect(readings.map(({ time }) => time)).toEqual([0, 1000, 2000, 3000]);
  expect(isThinned).toBe(false);
});

test('of many readings all count, and the latest are drawn', () => {
  const pod = create();
  const count = 2 * MOST_DRAWN + 1;
  for (let time = 0; time < count; time += 1) {
    // 100 and 140 in turn, and one more of 100.
    pod.add(file(reading({ time, systolic: time % 2 === 0 ? 100 : 140 })));
  }
  pod.add({ readings: [reading({ time: null, systolic: 1 })], incomplete: 7, isCut: false });
  const { aggregate, readings, isThinned } = pod.end();
  expect(aggregate).toMatchObject({
    counted: count,
    first: 0,
    last: count - 1,
    leftOut: { incomplete: 7, implausible: 1 },
  });
  const mean = (100 * (MOST_DRAWN + 1) + 140 * MOST_DRAWN) / count;
  expect(aggregate.measures.systolic?.mean).toBeCloseTo(mean, 10);
  expect(isThinned).toBe(true);
  expect(readings).toHaveLength(MOST_DRAWN);
  expect([readings[0]?.time, readings.at(-1)?.time]).toEqual([count - MOST_DRAWN, count - 1]);
});

test('nothing is kept of a Pod that is not drawn', () => {
  const pod = create(false);
  pod.add(file(reading({})));
  expect(pod.end()).toMatchObject({ aggregate: { counted: 1 }, readings: [], isThinned: false });
});
