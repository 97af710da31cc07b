import { describe, expect, test } from 'vitest';
import {
  formatClock,
  formatDay,
  formatElapsed,
  formatReadingDay,
  formatReadingTime,
  formatTime,
} from './format-time.js';

describe('times on the page', () => {
  test('a time names its zone, and is converted to it', () => {
    expect(formatTime('2026-11-19T23:30:00.000+00:00', 'UTC')).toBe('19 Nov 2026, 23:30 UTC');
    expect(formatTime('2026-11-19T23:30:00.000+00:00', 'Europe/Paris')).toMatch(
      /^20 Nov 2026, 00:30 (CET|GMT\+1)$/,
    );
  });

  test('a day has no time and a clock has no day', () => {
    expect(formatDay('2026-11-01T23:30:00+02:00', 'UTC')).toBe('1 Nov 2026');
    expect(formatClock(Date.parse('2026-11-01T08:05:09Z'), 'UTC')).toBe('08:05:09');
  });

  test.each([
    ['2026-08-19T19:43:08.976', '19 Aug 2026, 19:43', '19 Aug 2026'],
    ['2026-08-19T23:30:00.000-04:00', '19 Aug 2026, 23:30 -04:00', '19 Aug 2026'],
    ['2026-08-20T00:10:00.000+05:30', '20 Aug 2026, 00:10 +05:30', '20 Aug 2026'],
    ['2026-08-19', '19 Aug 2026', '19 Aug 2026'],
    [null, '–', '–'],
  ])('%j of a reading is %j, wherever the page is read', (text, time, day) => {
    expect(formatReadingTime(text)).toBe(time);
    expect(formatReadingDay(text)).toBe(day);
  });

  test.each([null, '', 'yesterday'])('%j has no time to show', (value) => {
    expect(formatTime(value, 'UTC')).toBe('–');
    expect(formatDay(value, 'UTC')).toBe('–');
  });

  test.each([
    [-900, '0 s'],
    [41_600, '42 s'],
    [185_000, '3 min 5 s'],
    [4_330_000, '1 h 12 min'],
  ])('%d milliseconds have taken %s', (milliseconds, text) => {
    expect(formatElapsed(milliseconds)).toBe(text);
  });
});
