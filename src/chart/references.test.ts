import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadLabels } from './references.js';

const room = { gap: 30, low: 100, high: 500 };

test.each<[string, number[], number[]]>([
  ['nothing', [], []],
  ['one', [300], [300]],
  ['labels far from each other', [200, 300, 400], [200, 300, 400]],
  ['labels exactly a gap apart', [200, 230], [200, 230]],
  ['two close ones, around their middle', [300, 310], [290, 320]],
  ['two close ones the other way round', [310, 300], [320, 290]],
  ['three at one place', [300, 300, 300], [270, 300, 330]],
  ['a pair that is pushed into a third', [300, 310, 335], [285, 315, 345]],
  ['labels at the lower edge', [100, 100], [100, 130]],
  ['labels beyond the upper edge', [490, 620], [470, 500]],
])('spreads %s', (_, wanted, positions) => {
  expect(spreadLabels(wanted, room)).toEqual(positions);
});

test('keeps the gap, the room and the order for any labels that fit', () => {
  const wanted = fc.array(fc.double({ min: 0, max: 600, noNaN: true }), { maxLength: 14 });
  fc.assert(
    fc.property(wanted, (list) => {
      const positions = spreadLabels(list, room);
      const order = list
        .map((_, index) => index)
        .sort((a, b) => at(list, a) - at(list, b) || a - b);
      let previous = room.low - room.gap;
      for (const index of order) {
        expect(at(positions, index)).toBeGreaterThanOrEqual(previous + room.gap - 1e-6);
        previous = at(positions, index);
      }
      expect(previous).toBeLessThanOrEqual(room.high + 1e-6);
    }),
  );
});

function at(list: number[], index: number): number {
  return list[index] ?? Number.NaN;
}
