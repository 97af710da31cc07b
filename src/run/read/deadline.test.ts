import { expect, test } from 'vitest';
import { Deadline } from './deadline.js';

const { signal: never } = new AbortController();

test('a deadline that is to end sooner says so: a worker is told how much time is left', () => {
  const deadline = new Deadline(performance.now() + 60_000, never);
  deadline.endIn(3_000);
  expect(deadline.until - performance.now()).toBeLessThanOrEqual(3_000);
  deadline.endIn(10_000);
  expect(deadline.until - performance.now()).toBeLessThanOrEqual(3_000);
});
