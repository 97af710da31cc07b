import { expect, test } from 'vitest';
import { runsUntil } from './choose-runs.js';

const runs = ['20261120T000000Z', '20261119T235959Z', '20261101T120000Z'];

test.each([
  ['', runs],
  ['soon', runs],
  ['2026-11-20', runs],
  ['2026-11-19', runs.slice(1)],
  ['2026-11-05', runs.slice(2)],
  ['2025-01-01', []],
])('until %j leaves %j', (day, expected) => {
  expect(runsUntil(runs, day)).toEqual(expected);
});
