import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AskingTime, askingTime, Deadline, endless, timeElsewhere } from './deadline.js';

const { signal: never } = new AbortController();
const seconds = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** After how many milliseconds either ends. */
async function endsOf({ reading, confirming }: AskingTime) {
  const ends = { reading: 0, confirming: 0 };
  const began = performance.now();
  const note = (which: keyof typeof ends) => () => (ends[which] = performance.now() - began);
  reading.signal.addEventListener('abort', note('reading'));
  confirming.signal.addEventListener('abort', note('confirming'));
  await vi.advanceTimersByTimeAsync(100 * seconds);
  return ends;
}

test('a deadline that is to end sooner says so: a worker is told how much time is left', () => {
  const deadline = new Deadline(performance.now() + 60 * seconds, never);
  deadline.endIn(3 * seconds);
  expect(deadline.until - performance.now()).toBe(3 * seconds);
  deadline.endIn(10 * seconds);
  expect(deadline.until - performance.now()).toBe(3 * seconds);
});

test('reading leaves time to ask again, and both leave some for later steps', async () => {
  const time = askingTime(performance.now() + 20 * seconds, never);
  expect(await endsOf(time)).toEqual({ reading: 18 * seconds, confirming: 19 * seconds });
});

test.each<[string, () => Promise<void>, number]>([
  ['the own one is read at once', () => Promise.resolve(), 10],
  ['the own one takes longer', () => new Promise((done) => setTimeout(done, 30 * seconds)), 30],
  ['the own one fails', () => Promise.reject(new Error('It is gone.')), 10],
])('another server has ten seconds, or as long as the own one: %s', async (_, own, expected) => {
  const ends = await endsOf(timeElsewhere(endless(never), own(), 10 * seconds));
  // Then it is asked again.
  expect(ends).toEqual({ reading: expected * seconds, confirming: (expected + 3) * seconds });
});
