import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConcurrencyLimit } from '../../base/concurrency.js';
import { ServerError } from '../../base/errors.js';
import type { SolidAnswer, SolidClient } from '../../solid/solid-client.js';
import { limitedClient } from './limited-client.js';

const url = 'https://pods.example/alice/inbox';
const tooSlow = new ServerError('slow', 'too slow', { url });
const answer: SolidAnswer = { status: 200, headers: {}, body: Buffer.alloc(0), url };

/** Answers each request after as many milliseconds as its address says, and before the `+` in a pause. */
const client: SolidClient = {
  async request(ms, { signal, onTry, ...how } = {}) {
    expect(how).toEqual({ ownPlace: true, longestPauseMs: 3_000 });
    const wait = async (time: string | undefined) => {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve());
        setTimeout(resolve, Number(time));
      });
      signal?.throwIfAborted();
    };
    const [answered, paused] = ms.split('+').reverse();
    if (paused !== undefined) await wait(paused);
    const ended = onTry?.();
    try {
      await wait(answered);
    } finally {
      ended?.();
    }
    return answer;
  },
  close: () => Promise.resolve(),
};

const limit = (atOnce = 100) =>
  limitedClient(client, new ConcurrencyLimit(atOnce), 30_000, tooSlow);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('what is asked has one time together, and fails when that is used up', async () => {
  const limited = limit();
  const inTime = limited.request('20000');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await inTime).toBe(answer);
  const late = expect(limited.request('20000')).rejects.toBe(tooSlow);
  await vi.advanceTimersByTimeAsync(10_000);
  await late;
  await expect(limited.request('0')).rejects.toBe(tooSlow);
});

test('requests side by side count once, and waiting between them does not count', async () => {
  const limited = limit();
  const together = Promise.all([limited.request('20000'), limited.request('15000')]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await together).toEqual([answer, answer]);
  await vi.advanceTimersByTimeAsync(60_000);
  const later = limited.request('9000');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await later).toBe(answer);
});

test('nor does waiting for the end of a pause', async () => {
  const request = limit().request('60000+20000');
  await vi.advanceTimersByTimeAsync(80_000);
  expect(await request).toBe(answer);
});

test('nor for a place, which a request that hangs leaves to others after a moment', async () => {
  const places = new ConcurrencyLimit(2);
  const hanging = Array.from({ length: 20 }, () =>
    limitedClient(client, places, 10_000, tooSlow).request('60000').catch(String),
  );
  const last = limitedClient(client, places, 10_000, tooSlow).request('9000');
  let isDone = false;
  void last.then(() => {
    isDone = true;
  });
  // Ten times two requests go before it.
  await vi.advanceTimersByTimeAsync(18_900);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isDone).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => String(tooSlow)));
});
