import { expect, test } from 'vitest';
import { readRange, toQuery, writeDays, writePreset } from './choose-days.js';

const newestAt = '2026-11-20T00:00:00.000+00:00';

test.each([
  ['', 'from=2026-10-22&to=2026-11-20'],
  ['days=7', 'from=2026-11-14&to=2026-11-20'],
  ['days=30', 'from=2026-10-22&to=2026-11-20'],
  ['days=90', 'from=2026-08-23&to=2026-11-20'],
  ['days=all', ''],
  ['days=soon', 'from=2026-10-22&to=2026-11-20'],
  ['from=soon', 'from=2026-10-22&to=2026-11-20'],
  ['from=2026-11-14', 'from=2026-11-14'],
  ['to=2026-11-13', 'to=2026-11-13'],
  ['from=2026-10-22&to=2026-11-14', 'from=2026-10-22&to=2026-11-14'],
  ['days=7&to=2025-12-31', 'to=2025-12-31'],
])('%j asks for %j', (query, asked) => {
  expect(toQuery(readRange(new URLSearchParams(query), newestAt))).toBe(asked);
});

test('a range travels through a link', () => {
  const read = (params: URLSearchParams) => readRange(params, newestAt);
  expect(read(writePreset('7'))).toEqual({ preset: '7', from: '2026-11-14', to: '2026-11-20' });
  expect(read(writePreset('all'))).toEqual({ preset: 'all', from: '', to: '' });
  expect(writePreset('30').toString()).toBe('');
  const chosen = { preset: null, from: '2026-10-22', to: '' };
  expect(read(writeDays(chosen.from, chosen.to))).toEqual(chosen);
  expect(writeDays('', '').toString()).toBe('');
});

test('days are those of UTC, whatever the offset of the newest analysis', () => {
  const late = '2026-11-20T23:30:00.000-02:00';
  expect(readRange(new URLSearchParams('days=7'), late).to).toBe('2026-11-21');
});

test('without analyses there is nothing to count days from', () => {
  expect(readRange(new URLSearchParams(), null)).toEqual({ preset: '30', from: '', to: '' });
});
