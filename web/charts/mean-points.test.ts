import { expect, test } from 'vitest';
import { meanPoints } from './mean-points.js';

const point = (time: number, value: number, beside: number | null = null) => ({
  runId: String(time),
  generatedAt: '',
  time,
  value,
  spread: time,
  beside,
});

test('points that can be told apart stay as they are', () => {
  const points = [point(1, 120), point(2, 124)];
  expect(meanPoints(points, 1)).toEqual(points);
});

test('points in a row become one at their mean, and what is left over one of its own', () => {
  const points = [point(1, 120, 100), point(3, 124), point(5, 90, null)];
  expect(meanPoints(points, 2)).toMatchObject([
    { time: 2, value: 122, spread: 2, beside: 100 },
    { time: 5, value: 90, spread: 5, beside: null },
  ]);
  expect(meanPoints([], 2)).toEqual([]);
});
