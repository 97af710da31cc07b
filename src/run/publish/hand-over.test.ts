import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wait } from '../../../test/support/wait.js';
import type { SolidAnswer, SolidClient } from '../../solid/solid-client.js';
import { HandOvers } from './hand-over.js';

const url = 'https://pods.example/inbox';
const answer: SolidAnswer = { status: 200, headers: {}, body: Buffer.alloc(0), url };

/** Answers each request after as many milliseconds as its address says. */
const client: SolidClient = {
  async request(ms, { signal, ...how } = {}) {
    expect(how).toEqual({ isApart: true, longestPauseMs: 3_000 });
    await wait(Number(ms), signal);
    return answer;
  },
  close: () => Promise.resolve(),
};

/** Hand-overs of a few requests, one after the other, which take as long as they say; tells which were cut. */
async function handOver(...readers: readonly (readonly number[])[]) {
  const handOvers = new HandOvers();
  const began = performance.now();
  const work = readers.map((requests, nth) =>
    handOvers
      .run(client, `reader ${nth}`, async (limited) => {
        for (const ms of requests) await limited.request(String(ms));
        return null;
      })
      .catch(String)
      .then((failure) => ({ failure, after: performance.now() - began })),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return await Promise.all(work);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('of 64 readers on a server that takes 300 ms for each request none is cut', async () => {
  const all = await handOver(...Array.from({ length: 64 }, () => [300, 300, 300, 300, 300]));
  expect(all.filter(({ failure }) => failure !== null)).toEqual([]);
  expect(Math.max(...all.map(({ after }) => after))).toBeLessThan(6_000);
});

test('[7.6][7.7] a reader has ten seconds for all requests, from their own place on', async () => {
  const [first] = await handOver([6_000, 6_000]);
  expect(first).toEqual({
    failure: expect.stringContaining('The Pod of reader 0 took more than 10 seconds to take a'),
    after: 10_000,
  });
  const late = (await handOver(...Array.from({ length: 33 }, () => [9_000]))).at(-1);
  expect(late).toEqual({ failure: null, after: 11_000 });
});

test('a hand-over that is done leaves no clock running', async () => {
  await new HandOvers().run(client, 'reader', () => Promise.resolve(null));
  expect(vi.getTimerCount()).toBe(0);
});

test('[7.7] 64 readers whose Pods hang keep the next one waiting for some seconds, not for their time', async () => {
  const all = await handOver(...Array.from({ length: 64 }, () => [50_000]), [300]);
  expect(all.at(-1)).toEqual({ failure: null, after: 4_300 });
  expect(all.filter(({ failure }) => failure === null)).toHaveLength(1);
});
