import { expect, test } from 'vitest';
import { stackDots } from './stack-dots.js';

function placesOf(xs: number[], size: number, reach: number) {
  const items = xs.map((x) => ({ item: x, x }));
  return stackDots(items, size, reach).map(({ x, offset }) => [x, offset]);
}

test('dots that do not touch stay on the middle line', () => {
  expect(placesOf([30, 0, 10], 10, 20)).toEqual([
    [0, 0],
    [10, 0],
    [30, 0],
  ]);
});

test('dots that touch go above and below in turn', () => {
  expect(placesOf([5, 5, 5], 10, 20).map(([, offset]) => offset)).toEqual([0, 10, -10]);
});

test('a crowd stays within reach, and what finds no room is left away', () => {
  const crowd = Array.from({ length: 50 }, () => 1);
  const offsets = placesOf(crowd, 10, 25).map(([, offset]) => offset);
  expect(offsets).toEqual([0, 10, -10, 20, -20]);
});
