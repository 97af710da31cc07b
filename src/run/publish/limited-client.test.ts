import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerError } from '../../base/errors.js';
import type { SolidAnswer, SolidClient } from '../../solid/solid-client.js';
import { limitedClient } from './limited-client.js';

const url = 'https://pods.example/alice/inbox';
const tooSlow = new ServerError('slow', 'too slow', { url });
const answer: SolidAnswer = { status: 200, headers: {}, body: Buffer.alloc(0), url };

let places: string[] = [];

/** Answers each request after as many milliseconds as its address says, and before the `+` in line for a place. */
const client: SolidClient = {
  async request(ms, { signal, onPlace } = {}) {
    const wait = async (time: string | undefined) => {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve());
        setTimeout(resolve, Number(time));
      });
      signal?.throwIfAborted();
    };
    const [answered, queued] = ms.split('+').reverse();
    if (queued !== undefined) await wait(queued);
    const ended = onPlace?.(() => places.push(`left by ${ms}`));
    try {
      await wait(answered);
    } finally {
      ended?.();
    }
    return answer;
  },
  close: () => Promise.resolve(),
};

beforeEach(() => {
  places = [];
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('what is asked has one time together, and fails when that is used up', async () => {
  const limited = limitedClient(client, 30_000, tooSlow);
  const inTime = limited.request('20000');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await inTime).toBe(answer);
  const late = expect(limited.request('20000')).rejects.toBe(tooSlow);
  await vi.advanceTimersByTimeAsync(10_000);
  await late;
  await expect(limited.request('0')).rejects.toBe(tooSlow);
});

test('requests side by side count once, and waiting between them does not count', async () => {
  const limited = limitedClient(client, 30_000, tooSlow);
  const together = Promise.all([limited.request('20000'), limited.request('15000')]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await together).toEqual([answer, answer]);
  await vi.advanceTimersByTimeAsync(60_000);
  const later = limited.request('9000');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await later).toBe(answer);
});

test('nor does waiting for a place among the requests in flight', async () => {
  const limited = limitedClient(client, 30_000, tooSlow);
  const request = limited.request('60000+20000');
  await vi.advanceTimersByTimeAsync(80_000);
  expect(await request).toBe(answer);
});

test('a request without an answer gives its place to others after a moment', async () => {
  const limited = limitedClient(client, 30_000, tooSlow);
  const requests = [limited.request('2000'), limited.request('20000')];
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(requests);
  expect(places).toEqual(['left by 20000']);
});
