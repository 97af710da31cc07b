import { expect, test } from 'vitest';
import { mapBounded } from './map-bounded.js';

test('every item is worked on once, in order, and never more than the limit at a time', async () => {
  const started: number[] = [];
  let running = 0;
  let most = 0;
  await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, new AbortController().signal, async (item) => {
    started.push(item);
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  });
  expect(started).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test('nothing new is begun once it was stopped', async () => {
  const stop = new AbortController();
  const started: number[] = [];
  await mapBounded([1, 2, 3, 4], 2, stop.signal, async (item) => {
    started.push(item);
    stop.abort();
    await Promise.resolve();
  });
  expect(started).toEqual([1]);
});
