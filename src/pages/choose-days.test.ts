import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { chooseDays, readRange } from './choose-days.js';

const newestAt = '2026-11-20T00:00:00.000+00:00';

test.each([
  ['', '2026-10-22', '2026-11-20'],
  ['days=7', '2026-11-14', '2026-11-20'],
  ['days=30', '2026-10-22', '2026-11-20'],
  ['days=90', '2026-08-23', '2026-11-20'],
  ['days=all', '', ''],
  ['days=soon', '2026-10-22', '2026-11-20'],
  ['from=soon', '2026-10-22', '2026-11-20'],
  ['from=2026-11-14', '2026-11-14', ''],
  ['to=2026-11-13', '', '2026-11-13'],
  ['from=2026-10-22&to=2026-11-14', '2026-10-22', '2026-11-14'],
  ['days=7&to=2025-12-31', '', '2025-12-31'],
])('%j asks for the days from %j to %j', (query, from, to) => {
  expect(readRange(new URLSearchParams(query), newestAt)).toMatchObject({ from, to });
});

test('days are those of UTC, whatever the offset of the newest analysis', () => {
  const late = '2026-11-20T23:30:00.000-02:00';
  expect(readRange(new URLSearchParams('days=7'), late).to).toBe('2026-11-21');
});

test('without analyses there is nothing to count days from', () => {
  const range = readRange(new URLSearchParams(), null);
  expect(range).toEqual({ preset: '30', from: '', to: '' });
});

test('both days are included, as days of UTC', () => {
  const { cohort } = sampleResults('20260819T091500Z', []);
  const history = [
    '2026-11-16T00:00:00.000+00:00',
    '2026-11-16T00:30:00.000+01:00',
    '2026-11-14T00:00:00.000+00:00',
    '2026-11-13T23:59:59.999+00:00',
  ].map((generated_at) => ({ generated_at, cohort, runs: [] }));
  const chosen = (query: string) =>
    chooseDays(history, readRange(new URLSearchParams(query), newestAt)).map(({ generated_at }) =>
      history.findIndex((analysis) => analysis.generated_at === generated_at),
    );
  expect(chosen('from=2026-11-14&to=2026-11-15')).toEqual([1, 2]);
  expect(chosen('to=2026-11-13')).toEqual([3]);
  expect(chosen('days=all')).toEqual([0, 1, 2, 3]);
});
