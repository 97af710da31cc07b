import { expect, test } from 'vitest';
import { describePeriod, isEmpty, isWithin, type StudyPeriod } from './study-period.js';

const MINUTE_MS = 60_000;

/** As a reading says it: its moment, null without a zone, and what its clock showed. */
function moment(clock: string, minutesAhead: number | null) {
  const shown = Date.parse(`${clock}Z`);
  return { time: minutesAhead === null ? null : shown - minutesAhead * MINUTE_MS, clock: shown };
}

const march: StudyPeriod = { from: '2026-03-01', until: '2026-03-31' };
const hours: StudyPeriod = {
  from: '2026-03-01T08:00:00+01:00',
  until: '2026-03-01T20:00:00+01:00',
};

test.each([
  [march, '2026-02-28T23:59:59.999', 0, false],
  [march, '2026-03-01T00:00:00.000', 0, true],
  [march, '2026-03-31T23:59:59.999', 0, true],
  [march, '2026-04-01T00:00:00.000', 0, false],
  // Days are those of the clock, wherever it hung.
  [march, '2026-03-01T00:30:00', 14 * 60, true],
  [march, '2026-03-31T23:30:00', -9 * 60 - 30, true],
  [march, '2026-02-28T23:30:00', -5 * 60, false],
  // 08:00 at +01:00 is 07:00 UTC, and 02:00 at -05:00.
  [hours, '2026-03-01T06:59:59.999', 0, false],
  [hours, '2026-03-01T07:00:00', 0, true],
  [hours, '2026-03-01T02:00:00', -5 * 60, true],
  [hours, '2026-03-01T19:00:00', 0, true],
  [hours, '2026-03-01T19:00:00.001', 0, false],
  // Without a zone, the clock is compared with 08:00 and 20:00.
  [hours, '2026-03-01T07:59:59.999', null, false],
  [hours, '2026-03-01T08:00:00', null, true],
  [hours, '2026-03-01T20:00:00', null, true],
  [hours, '2026-03-01T20:00:00.001', null, false],
  [march, '2026-03-31T23:59:59.999', null, true],
  [march, '2026-04-01T00:00:00', null, false],
  [{ from: '2026-03-01T08:00Z', until: null }, '2026-03-01T07:59:59', null, false],
  [{ from: '2026-03-01T08:00Z', until: null }, '2026-03-01T08:00:00', null, true],
  [{ from: '2026-03-01', until: null }, '2999-01-01T00:00:00', 0, true],
  [{ from: null, until: '2026-03-01' }, '1970-01-01T00:00:00', 0, true],
  [{ from: null, until: '2026-03-01' }, '2026-03-02T00:00:00', 0, false],
])('of %j is %s, %i minutes ahead: %s', (period, clock, minutesAhead, expected) => {
  expect(isWithin(period)(moment(clock, minutesAhead))).toBe(expected);
});

test('a period of one day has time in it, one that ends before it begins has none', () => {
  expect(isEmpty({ from: '2026-03-01', until: '2026-03-01' })).toBe(false);
  expect(isEmpty({ from: '2026-03-02', until: '2026-03-01' })).toBe(true);
  expect(isEmpty({ from: '2026-03-02T01:00:00Z', until: '2026-03-01' })).toBe(true);
  expect(isEmpty({ from: null, until: '1970-01-01' })).toBe(false);
  expect(isEmpty({ from: null, until: null })).toBe(false);
});

test('it is told in words', () => {
  expect(describePeriod(march)).toBe('2026-03-01 to 2026-03-31');
  expect(describePeriod({ from: '2026-03-01', until: null })).toBe('from 2026-03-01 on');
  expect(describePeriod({ from: null, until: '2026-03-31' })).toBe('until 2026-03-31');
});
