import { expect, test } from 'vitest';
import { readRange, runsIn, writeDays, writePreset } from './choose-runs.js';

const runs = [
  '20261120T000000Z',
  '20261119T235959Z',
  '20261114T120000Z',
  '20261113T120000Z',
  '20261022T120000Z',
  '20261021T120000Z',
  '20250101T120000Z',
];

test.each([
  ['', 5],
  ['days=7', 3],
  ['days=30', 5],
  ['days=90', 6],
  ['days=all', 7],
  ['days=soon', 5],
  ['from=soon', 5],
  ['from=2026-11-14', 3],
  ['to=2026-11-13', 4],
  ['from=2026-10-22&to=2026-11-14', 3],
  ['from=2026-11-21', 0],
  ['days=7&to=2025-12-31', 1],
])('%j leaves %d runs', (query, expected) => {
  expect(runsIn(runs, readRange(new URLSearchParams(query), runs))).toHaveLength(expected);
});

test('a range travels through a link', () => {
  const read = (params: URLSearchParams) => readRange(params, runs);
  expect(read(writePreset('7'))).toEqual({ preset: '7', from: '2026-11-14', to: '2026-11-20' });
  expect(read(writePreset('all'))).toEqual({ preset: 'all', from: '', to: '' });
  expect(writePreset('30').toString()).toBe('');
  const chosen = { preset: null, from: '2026-10-22', to: '' };
  expect(read(writeDays(chosen.from, chosen.to))).toEqual(chosen);
  expect(writeDays('', '').toString()).toBe('');
});

test('without runs there is nothing to count days from', () => {
  expect(readRange(new URLSearchParams(), [])).toEqual({ preset: '30', from: '', to: '' });
});
