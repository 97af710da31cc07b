import { describe, expect, test } from 'vitest';
import { average, counted, day, moment, number, readingTime } from './words.js';

describe('numbers on a page', () => {
  test.each([
    [121.44444, '121.4'],
    [121, '121.0'],
    [0, '0.0'],
    [119.95, '120.0'],
    // Stored as a little less.
    [121.35, '121.3'],
    [null, '–'],
    [undefined, '–'],
  ])('the average %s reads %s', (value, text) => {
    expect(average(value)).toBe(text);
  });

  test.each([
    [118, '118'],
    [118.26, '118.3'],
    [12_345, '12,345'],
    [null, '–'],
  ])('the number %s reads %s', (value, text) => {
    expect(number(value)).toBe(text);
  });

  test('what is counted stands in the right number', () => {
    const told = [1, 0, 2000].map((count) => counted(count, 'Pod'));
    expect(told).toEqual(['1 Pod', '0 Pods', '2,000 Pods']);
  });
});

describe('times on a page', () => {
  test('are in UTC, whatever the offset of the text', () => {
    expect(moment('2026-11-20T00:30:00.000+01:00')).toBe('19 Nov 2026, 23:30:00 UTC');
    // Two runs of a minute have names of their own.
    expect(moment(new Date('2026-11-19T23:30:07.900Z'))).toBe('19 Nov 2026, 23:30:07 UTC');
    // As in the charts.
    expect(day('2026-09-17')).toBe('17 Sep 2026');
    expect(moment(null)).toBe('–');
  });

  test.each([
    ['2026-08-19T19:43:08.976', '19 Aug 2026, 19:43', '19 Aug 2026'],
    ['2026-08-19T23:30:00.000-04:00', '19 Aug 2026, 23:30 -04:00', '19 Aug 2026'],
    ['2026-08-20T00:10:00.000+05:30', '20 Aug 2026, 00:10 +05:30', '20 Aug 2026'],
    ['2026-08-19', '19 Aug 2026', '19 Aug 2026'],
    // Possible in a document: only its form is checked.
    ['2026-13-45', '–', '–'],
    [null, '–', '–'],
  ])('%j of a reading is %j, by the clock of the reading', (text, time, date) => {
    expect(readingTime(text)).toBe(time);
    expect(day(text)).toBe(date);
  });
});
