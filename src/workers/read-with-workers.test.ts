import { expect, test, vi } from 'vitest';
import { readTask } from '../../test/support/readings-of.js';
import { analyser } from '../../test/support/scripted-reading.js';
import { askingTime, clear } from '../run/read/deadline.js';
import { filesPerPart, readWithWorkers } from './read-with-workers.js';

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

test('once all is read no timer is left, so run-once ends', async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  const time = askingTime(performance.now() + 300_000, signal);
  const client = { request: () => Promise.reject(new Error()), close: () => Promise.resolve() };
  const connection = { client, pod: analyser };
  const queue: Parameters<typeof readWithWorkers>[0] = {
    use: (_signal, work) => work(() => Promise.resolve([]), signal),
  };
  await readWithWorkers(queue).readShares(connection, [], readTask({ time }));
  clear(time);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
