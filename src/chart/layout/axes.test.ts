import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeTicks } from './axes.js';

test.each<[string, string, string, string[]]>([
  [
    'hours',
    '2026-08-19T20:30',
    '2026-08-20T06:10',
    ['21:00|19 Aug', '00:00|20 Aug', '03:00', '06:00'],
  ],
  ['days', '2026-12-30T12:00', '2027-01-02T12:00', ['31 Dec|2026', '1 Jan|2027', '2 Jan']],
  ['months', '2026-11-15T00:00', '2027-02-01T00:00', ['Dec|2026', 'Jan|2027', 'Feb']],
  ['years', '2023-06-01T00:00', '2026-06-01T00:00', ['2024', '2025', '2026']],
])('Ticks of %s stand at round moments', (_, first, last, labels) => {
  const ticks = timeTicks(Date.parse(`${first}Z`), Date.parse(`${last}Z`), 5);
  expect(ticks.map(({ label }) => label.replace('\n', '|').replace(/\|$/, ''))).toEqual(labels);
});

test('Between any two times there are never more ticks than asked for, all of them inside', () => {
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
