import { expect, test } from 'vitest';
import { shareOf } from './request-share.js';

test.each([
  { together: 32, perWorker: 32, workers: 1, shares: [32] },
  { together: 32, perWorker: 32, workers: 3, shares: [11, 11, 10] },
  { together: 32, perWorker: 8, workers: 2, shares: [8, 8] },
  { together: 3, perWorker: 32, workers: 5, shares: [1, 1, 1, 0, 0] },
  { together: 0, perWorker: 8, workers: 3, shares: [8, 8, 8] },
])('$workers workers share $together requests', ({ workers, shares, ...bounds }) => {
  expect(shares.map((_, position) => shareOf(position, workers, bounds))).toEqual(shares);
});

test('a worker that is not there yet asks for nothing, unless there is no bound', () => {
  expect(shareOf(-1, 2, { together: 32, perWorker: 32 })).toBe(0);
  expect(shareOf(-1, 2, { together: 0, perWorker: 8 })).toBe(8);
});
