import { expect, test } from 'vitest';
import { latestReadings, MOST_DRAWN, type Reading } from './reading.js';

const reading = (time: number | null): Reading => ({
  time,
  offset: 0,
  systolic: 120,
  diastolic: 80,
  heart_rate: 60,
});

test('of many readings the latest are drawn, by time, and those without a time come first', () => {
  const few = [reading(3), reading(null), reading(1)];
  expect(latestReadings(few).map(({ time }) => time)).toEqual([null, 1, 3]);
  const many = Array.from({ length: MOST_DRAWN + 5 }, (_, time) => reading(time)).reverse();
  const latest = latestReadings([reading(null), ...many]);
  expect(latest).toHaveLength(MOST_DRAWN);
  expect([latest[0]?.time, latest.at(-1)?.time]).toEqual([5, MOST_DRAWN + 4]);
});
