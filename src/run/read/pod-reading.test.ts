import { expect, test } from 'vitest';
import { podOf, readWith } from '../../../test/support/table.js';
import { sumReadings } from '../../analysis/sums.js';
import { isReadable, podReading } from './pod-reading.js';

const rules = { now: 0, windowDays: null, period: null };
const root = 'https://pods.example/anna/';

test.each([
  [2, []],
  [1, ['The chart shows the latest 1 readings.']],
  // Nobody asked for the chart.
  [0, []],
])('a chart of fewer readings than count says so: %s of 2', (drawn, notes) => {
  const readings = [120, 130].map((systolic, time) => ({
    time,
    offset: 0,
    systolic,
    diastolic: 80,
    heart_rate: null,
  }));
  const { sums } = sumReadings({ readings, incomplete: 0 }, rules);
  const outcome = { ...readWith(null), sums, readings: readings.slice(0, drawn) };
  const reading = podReading(podOf(root, { [`${root}app/1.enc.ttl`]: { outcome } }), rules);
  expect(reading.summary).toMatchObject({ observation_count: 2, notes });
});

test.each([
  ['is asked for', { outcome: readWith(null) }, true],
  ['is not asked for', {}, false],
])('a new Pod has a result only as a whole: another file %s', (_, other, expected) => {
  const rows = {
    [`${root}app/1.enc.ttl`]: { outcome: readWith(null) },
    [`${root}app/2.enc.ttl`]: other,
  };
  expect(isReadable(podReading(podOf(root, rows), rules))).toBe(expected);
});
