import { expect, test } from 'vitest';
import {
  isPlausible,
  latestReadings,
  MOST_DRAWN,
  momentOf,
  type Reading,
  wallClock,
} from './reading.js';

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

const usual = { systolic: 120, diastolic: 80, heart_rate: 60 };

test.each([
  ['systolic', 40, 300],
  ['diastolic', 20, 200],
  ['heart_rate', 20, 250],
] as const)(
  '[4.13] %s counts from %i to %i, and beyond that nothing of the reading does',
  (name, lowest, highest) => {
    const counts = (value: number) => isPlausible({ ...usual, [name]: value });
    expect([lowest, highest].map(counts)).toEqual([true, true]);
    expect([lowest - 0.01, highest + 0.01].map(counts)).toEqual([false, false]);
  },
);

test('[4.13] a reading without a heart rate is plausible', () => {
  expect(isPlausible({ ...usual, heart_rate: null })).toBe(true);
});

test.each<[Reading['offset'], number, number | null]>([
  // Ten in the morning in UTC is noon where the clock is two hours ahead.
  [120, 12, 10],
  [-90, 8.5, 10],
  ['unknown', 10, null],
  [null, 10, null],
])('with the offset %s, a reading of ten o’clock is of %d on its clock', (offset, clock, utc) => {
  const hours = 3_600_000;
  const at = { time: 10 * hours, offset };
  expect(wallClock(at)).toBe(clock * hours);
  expect(momentOf(at)).toEqual({ time: utc === null ? null : utc * hours, clock: clock * hours });
});

test('without a time there is neither a clock nor a moment', () => {
  expect([wallClock(reading(null)), momentOf(reading(null))]).toEqual([null, null]);
});
