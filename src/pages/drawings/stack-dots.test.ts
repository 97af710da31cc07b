import { expect, test } from 'vitest';
import { stackDots } from './stack-dots.js';

const placesOf = (xs: number[]) =>
  stackDots(
    xs.map((x) => ({ x })),
    10,
  ).map(({ x, row }) => [x, row]);

test('dots that do not touch stay in the middle row', () => {
  expect(placesOf([30, 0, 10])).toEqual([
    [0, 0],
    [10, 0],
    [30, 0],
  ]);
});

test('dots that touch go above and below in turn', () => {
  expect(placesOf([5, 5, 5, 14]).map(([, row]) => row)).toEqual([0, 1, -1, 2]);
});

test('a crowd stays within seven rows, and what finds no room is left out', () => {
  const rows = placesOf(Array.from({ length: 50 }, () => 1)).map(([, row]) => row);
  expect(rows).toEqual([0, 1, -1, 2, -2, 3, -3]);
});
