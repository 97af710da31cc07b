import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerError } from '../base/errors.js';
import type { SolidClient, SolidRequest } from '../solid/solid-client.js';
import { ownPodClient, type WritingLimits } from './own-pod-client.js';

const root = 'https://pods.example/analyser/';
const document = `${root}app/data/analyser/pods.example-alice/bp-average.json.enc.ttl`;

const { signal: never } = new AbortController();

/** Begins a request that has no answer until the test gives one. */
function start(limits: Partial<WritingLimits> = {}) {
  const asked: SolidRequest[] = [];
  let fail = (_error: Error): void => undefined;
  const client: SolidClient = {
    async request(_url, options = {}) {
      asked.push(options);
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        options.signal?.addEventListener('abort', () => resolve());
      });
      options.signal?.throwIfAborted();
      throw new Error('It ended without a reason.');
    },
    close: () => Promise.resolve(),
  };
  const own = ownPodClient(client, root, { limitMs: 60_000, writingEnds: never, ...limits });
  const outcome = own.request(document).catch((error: unknown) => error);
  return { own, asked, outcome, fail: (error: Error) => fail(error) };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const late = {
  failure: 'slow',
  message: `${root} took more than 60 seconds to be written to.`,
  details: { url: root },
};

test('[7.5] when the limit is over, what is asked ends, and nothing more is asked', async () => {
  const { own, asked, outcome } = start();
  vi.advanceTimersByTime(59_999);
  expect(asked[0]?.signal?.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await outcome).toMatchObject(late);
  await expect(own.request(root)).rejects.toMatchObject(late);
  expect(asked).toHaveLength(1);
});

test('without a limit, or after the end of publishing, no time ends anything', () => {
  const [unlimited, ended] = [start({ limitMs: null }), start()];
  ended.own.end();
  vi.advanceTimersByTime(86_400_000);
  for (const { asked } of [unlimited, ended]) expect(asked[0]?.signal?.aborted).toBe(false);
});

test('[0.10] a service that stops ends all, whether it stops now or had stopped before', async () => {
  const stop = new AbortController();
  const { outcome } = start({ writingEnds: stop.signal });
  stop.abort();
  const stopped = { message: `${root} could not be written to before the service stopped.` };
  expect(await outcome).toMatchObject(stopped);
  const { asked, outcome: next } = start({ writingEnds: stop.signal });
  expect(await next).toMatchObject(stopped);
  expect(asked).toEqual([]);
});

test('[7.5][7.3] a request without an answer ends the others, which are not told of whom it was', async () => {
  const { own, fail, outcome } = start();
  const silence = new ServerError('slow', `${document} gave no answer.`, { url: document });
  fail(silence);
  expect(await outcome).toBe(silence);
  const told = { failure: 'slow', message: `${root} gave no answer.`, details: { url: root } };
  await expect(own.request(root)).rejects.toMatchObject(told);
});

test('a refusal is an answer, and ends nothing', async () => {
  const { own, asked, fail, outcome } = start();
  const refusal = new ServerError('refused', `${document} is full.`, {
    url: document,
    status: 507,
  });
  fail(refusal);
  expect(await outcome).toBe(refusal);
  void own.request(root);
  expect(asked).toHaveLength(2);
});

test('whoever asks can end their own request, and waits for no long pause of the server', async () => {
  const { own, asked } = start();
  const mine = new AbortController();
  const request = own.request(root, { signal: mine.signal });
  mine.abort(new Error('mine'));
  await expect(request).rejects.toThrow('mine');
  // Callers wait meanwhile, so the half a minute for which other requests wait is too long.
  expect(asked.map(({ longestPauseMs }) => longestPauseMs)).toEqual([3_000, 3_000]);
});
