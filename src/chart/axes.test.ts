import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../base/utc-time.js';
import { timeAxis, timeTicks, valueAxis } from './axes.js';

describe('the horizontal axis', () => {
  test.each([
    ['2026-08-19T20:30', '2026-08-20T06:10', '21:00|19 Aug, 00:00|20 Aug, 03:00, 06:00'],
    ['2026-12-30T12:00', '2027-01-02T12:00', '31 Dec|2026, 1 Jan|2027, 2 Jan'],
    // Mondays, so that weeks look like weeks.
    ['2026-12-22T00:00', '2027-01-14T00:00', '28 Dec|2026, 4 Jan|2027, 11 Jan'],
    ['2026-11-15T00:00', '2027-02-01T00:00', 'Dec|2026, Jan|2027, Feb'],
    ['2023-06-01T00:00', '2026-06-01T00:00', '2024, 2025, 2026'],
  ])('has ticks at round moments from %s to %s', (first, last, labels) => {
    const ticks = timeTicks(Date.parse(`${first}Z`), Date.parse(`${last}Z`), 5);
    expect(ticks.map(({ label }) => label.replace('\n', '|')).join(', ')).toBe(labels);
  });

  test('has every other day without a break at the end of a month', () => {
    const ticks = timeTicks(Date.parse('2026-08-27'), Date.parse('2026-09-05'), 6);
    const days = ticks.map(({ at }) => at / 86_400_000);
    expect(days.length).toBe(5);
    expect(days.map((day) => day - (days[0] ?? 0))).toEqual([0, 2, 4, 6, 8]);
  });

  test('has fewer ticks where the ends are ticks themselves and would be one too many', () => {
    const ticks = timeTicks(Date.parse('2026-08-02'), Date.parse('2026-08-07'), 5);
    expect(ticks.length).toBe(3);
  });

  test('has space beside the first and the last reading', () => {
    const { scale } = timeAxis([0, 100 * DAY_MS]);
    expect(scale.domain()).toEqual([-1.5 * DAY_MS, 101.5 * DAY_MS]);
    expect(timeAxis(null).ticks).toEqual([]);
  });

  test('never has more ticks than asked for, between any two times, all of them inside', () => {
    const time = fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') });
    const span = fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 1e14 }));
    fc.assert(
      fc.property(time, span, (first, length) => {
        const ticks = timeTicks(first, first + length, 11);
        expect(ticks.length).toBeLessThanOrEqual(11);
        for (const { at } of ticks) {
          expect(at).toBeGreaterThanOrEqual(first);
          expect(at).toBeLessThanOrEqual(first + length);
        }
      }),
    );
  });
});

describe('the vertical axis', () => {
  test.each<[number[], number[], string]>([
    // 54 and its air are 57.2: from 62.4 to 119.6. 32 of 328 pixels are 5.9 of 60.
    [[118, 76, 64], [60, 120], '60 70 80 90 100 110 120'],
    // The least span, to either side of one value.
    [[120], [105, 135], '105 110 115 120 125 130 135'],
    // 280 and its air: from 11.6 to 308.4. 32 of 328 pixels are 29 of 300.
    [[300, 20], [10, 310], '50 100 150 200 250 300'],
    [[], [55, 145], '60 70 80 90 100 110 120 130 140'],
  ])('for %j goes over %j, with round ticks', (values, ends, ticks) => {
    const axis = valueAxis(values);
    expect(axis.scale.domain()).toEqual(ends);
    expect(axis.ticks.map(({ at }) => at).join(' ')).toBe(ticks);
    expect(axis.scale(ends[1] ?? 0)).toBe(114);
  });

  test('holds every value, starts no lower than zero and has few ticks, all inside', () => {
    const values = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, (list) => {
        const { scale, ticks } = valueAxis(list);
        const [min = 0, max = 0] = scale.domain();
        expect(min).toBeGreaterThanOrEqual(0);
        expect(min).toBeLessThanOrEqual(Math.min(...list));
        expect(max).toBeGreaterThanOrEqual(Math.max(...list));
        expect(ticks.length).toBeLessThanOrEqual(11);
        expect(ticks.length).toBeGreaterThan(2);
        expect(Math.min(...ticks.map(({ at }) => at))).toBeGreaterThanOrEqual(min);
        expect(Math.max(...ticks.map(({ at }) => at))).toBeLessThanOrEqual(max);
      }),
    );
  });
});
