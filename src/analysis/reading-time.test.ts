import { describe, expect, test } from 'vitest';
import { formatReadingTime, parseTime, timeOfFileName } from './reading-time.js';

const quarterPastNine = Date.UTC(2026, 7, 19, 9, 15, 0);

describe('[4.14] A timestamp', () => {
  test.each<[string, number]>([
    ['2026-08-19T09:15:00.000', quarterPastNine],
    ['2026-08-19T09:15:00', quarterPastNine],
    ['2026-08-19T09:15', quarterPastNine],
    ['2026-08-19 09:15:00', quarterPastNine],
    ['2026-08-19T09:15:00Z', quarterPastNine],
    ['2026-08-19t09:15:00z', quarterPastNine],
    ['2026-08-19T19:15:00+10:00', quarterPastNine],
    ['2026-08-19T03:45:00-0530', quarterPastNine],
    ['2026-08-19T09-15-00', quarterPastNine],
    ['  2026-08-19T09:15:00  ', quarterPastNine],
    ['2026-08-19T09:15:00.123456', quarterPastNine + 123],
    ['2026-08-19T09:15:00.5Z', quarterPastNine + 500],
    ['2026-08-19', Date.UTC(2026, 7, 19)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2026-08-20T09:14:00+23:59', quarterPastNine],
    ['0001-01-01', Date.parse('0001-01-01')],
    ['9999-12-31', Date.UTC(9999, 11, 31)],
    [`${' '.repeat(54)}2026-08-19`, Date.UTC(2026, 7, 19)],
  ])('%j is a time', (text, time) => {
    expect(parseTime(text)?.time).toBe(time);
  });

  test.each<[string, number | 'unknown' | null, string]>([
    ['2026-08-19T09:15:00.000', 'unknown', '2026-08-19T09:15:00.000'],
    ['2026-08-19T09-15-00', 'unknown', '2026-08-19T09:15:00.000'],
    ['2026-08-19T09:15Z', 0, '2026-08-19T09:15:00.000+00:00'],
    ['2026-08-19T19:15:00+10:00', 600, '2026-08-19T19:15:00.000+10:00'],
    ['2026-08-19T03:45:00-0530', -330, '2026-08-19T03:45:00.000-05:30'],
    ['2026-08-20T00:10:00+05:45', 345, '2026-08-20T00:10:00.000+05:45'],
    ['2026-08-19', null, '2026-08-19'],
  ])(
    '%j shows a clock that is ahead of UTC by %j minutes, and is handed out as %j',
    (text, offset, out) => {
      const parsed = parseTime(text);
      expect(parsed?.offset).toBe(offset);
      expect(parsed && formatReadingTime(parsed)).toBe(out);
    },
  );

  test.each<[unknown]>([
    [''],
    ['yesterday'],
    ['19/08/2026'],
    ['2026-02-30'],
    ['2026-13-01'],
    ['2026-08-19T24:00:00'],
    ['2026-08-19T09:60:00'],
    ['2026-08-19T09:15:00+25:00'],
    ['2026-08-19T09:15:00+24:00'],
    ['2026-08-19T09:15:00+10:60'],
    ['12026-08-19'],
    [`${' '.repeat(55)}2026-08-19`],
    ['2026-08-19T09'],
    ['2026-08-19T09-15'],
    ['0001-01-01T00:00:00+10:00'],
    ['9999-12-31T23:59:00-01:00'],
    [`2026-08-19T09:15:00.${'0'.repeat(1000)}`],
    [1787130900000],
    [null],
    [undefined],
    [{}],
  ])('%j is not a time', (value) => {
    expect(parseTime(value)).toBeNull();
  });
});

test.each<[string, number | null]>([
  ['bp_2026-08-19T09-15-00.json.enc.ttl', quarterPastNine],
  ['bp_2026-08-19T09-15-00.123456.json.enc.ttl', quarterPastNine],
  ['bp_2026-08-19T09:15:00.json', quarterPastNine],
  ['bp_2026-02-31T09-15-00.json', null],
  ['export.csv', null],
])('The file name %j says %s', (fileName, time) => {
  expect(timeOfFileName(fileName)?.time ?? null).toBe(time);
});
