import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type AskingTime,
  askingTime,
  Deadline,
  endless,
  sooner,
  timeElsewhere,
} from './deadline.js';

const { signal: never } = new AbortController();
const seconds = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
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
  deadline.endWithin(3 * seconds);
  expect(deadline.until - performance.now()).toBe(3 * seconds);
  deadline.endWithin(10 * seconds);
  expect(deadline.until - performance.now()).toBe(3 * seconds);
});

test.each([0, -1])('a deadline that is to end in %i ms is over at once', (milliseconds) => {
  const deadline = new Deadline(Number.POSITIVE_INFINITY, never);
  deadline.endWithin(milliseconds);
  expect(deadline.isOverOrThrow()).toBe(true);
});

test.each(['all', 'some'])('the time of %s ends with a Cancel, and all of it', (which) => {
  const [all, some] = [new AbortController(), new AbortController()];
  const time = sooner(endless(all.signal), some.signal);
  expect(time.stop.aborted).toBe(false);
  const reason = new Error('Cancelled.');
  (which === 'all' ? all : some).abort(reason);
  for (const { signal } of [time.reading, time.confirming, { signal: time.stop }])
    expect(signal.reason).toBe(reason);
});

test('reading leaves time to ask again, and both leave some for later steps', async () => {
  vi.advanceTimersByTime(5 * seconds);
  const time = askingTime(performance.now() + 20 * seconds, never);
  expect(await endsOf(time)).toEqual({ reading: 18 * seconds, confirming: 19 * seconds });
});

test.each([
  ['is read at once', 0, 0, 10],
  ['takes longer', 30, 0, 30],
  ['was read before the other one has its turn', 0, -4, 6],
])(
  'another server has ten seconds, or until the own one is read, which %s',
  async (_, own, since, expected) => {
    const ownEnd = new Promise<number>((done) => {
      setTimeout(() => done(performance.now()), own * seconds);
    });
    const began = performance.now() + since * seconds;
    const time = timeElsewhere(endless(never), ownEnd, { patienceMs: 10 * seconds, began });
    // One more for what is in hand, and then it is asked again.
    expect(await endsOf(time)).toEqual({
      reading: (expected + 1) * seconds,
      confirming: (expected + 3) * seconds,
    });
  },
);

test('no timer is left when a deadline is cleared, however often it was to end sooner', () => {
  const deadline = new Deadline(performance.now() + 60 * seconds, never);
  deadline.endWithin(30 * seconds);
  deadline.endWithin(3 * seconds);
  // Who makes one of it has none to clear.
  expect(deadline.sooner().until).toBe(deadline.until);
  expect(vi.getTimerCount()).toBe(1);
  deadline.clear();
  deadline.endWithin(1);
  expect(vi.getTimerCount()).toBe(0);
});
