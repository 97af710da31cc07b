import { expect, test } from 'vitest';
import { spreadLabels } from './references.js';

test.each<[string, number[], number[]]>([
  ['nothing', [], []],
  ['labels far from each other', [200, 300, 400], [200, 300, 400]],
  ['labels exactly a gap apart', [200, 217], [200, 217]],
  ['two close ones', [300, 310], [300, 317]],
  ['three at one place', [300, 300, 300], [300, 317, 334]],
  ['labels at the lower edge', [400, 440, 442], [400, 425, 442]],
  ['all at the lower edge', [442, 442, 442], [408, 425, 442]],
])('spreads %s', (_, heights, places) => {
  expect(spreadLabels(heights)).toEqual(places);
});
