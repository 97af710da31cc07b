import { expect, test } from 'vitest';
import { filesPerPart } from './read-with-workers.js';

test.each([
  // Few files: one each, so that many workers have something to do.
  [0, 1],
  [30, 1],
  [1_000, 10],
  // Never more than a hundred, however many there are.
  [10_000, 100],
  [200_000, 100],
])('of %i files %i are read in one part', (files, expected) => {
  expect(filesPerPart(files)).toBe(expected);
});
