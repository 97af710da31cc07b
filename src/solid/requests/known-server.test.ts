import { setImmediate as settle } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ServerError } from '../../base/errors.js';
import { BUSY_AT_HOME, KnownServer } from './known-server.js';
import { RETRY_AT_HOME, UnavailableError } from './retry.js';

const { signal } = new AbortController();
const answer = { status: 200, headers: {}, body: Buffer.alloc(0), url: 'https://pods.example/' };

/** A server that gets one request at a time; each is answered or fails when told to. */
function createServer(
  leaveAloneMs: number,
  { most = 1, tries }: { most?: number; tries?: number } = {},
) {
  const policy = { ...RETRY_AT_HOME, tries: most, firstPauseMs: 1 };
  const retries = { policy, random: () => 0.5, now: Date.now };
  const busy = { ...BUSY_AT_HOME, mostRefusals: most, leaveAloneMs };
  const server = new KnownServer({ bounds: { start: 1, max: 1 }, retries, busy });
  const sent: { name: string; answer: () => void; fail: (error: Error) => void }[] = [];
  const ask = (name: string) => {
    const send = () =>
      new Promise<typeof answer>((resolve, reject) => {
        sent.push({ name, answer: () => resolve(answer), fail: reject });
      });
    return server.request(send, { signal, isRepeatable: true, tries });
  };
  return { sent, ask, server, names: () => sent.map(({ name }) => name) };
}

test.each([
  ['the own server is asked again', 0, ['first', 'later']],
  ['another server is left alone', 60_000, ['first']],
])('what waits fails with a server that is too busy for all; later %s', async (_, ms, asked) => {
  const { sent, ask, names } = createServer(ms);
  const requests = [ask('first'), ask('second'), ask('third')].map((one) => one.catch(String));
  await settle();
  const error = new UnavailableError({ ...answer, status: 503 });
  sent[0]?.fail(error);
  expect(await Promise.all(requests)).toEqual(Array.from({ length: 3 }, () => String(error)));
  const later = ask('later').catch(String);
  await vi.waitFor(() => expect(names()).toEqual(asked));
  sent[1]?.answer();
  expect(await later).toEqual(ms === 0 ? answer : String(error));
});

test.each([0, 60_000])('the silence of one file says nothing about others', async (ms) => {
  const { sent, ask, names } = createServer(ms);
  const [first, second] = [ask('first').catch(String), ask('second')];
  await settle();
  const error = new ServerError('unreachable', 'it gives nothing', { url: answer.url });
  sent[0]?.fail(error);
  expect(await first).toBe(String(error));
  await settle();
  expect(names()).toEqual(['first', 'second']);
  sent[1]?.answer();
  expect(await second).toEqual(answer);
});

test('a request that may be tried once is repeated only after "not now"', async () => {
  const { sent, ask, names } = createServer(0, { most: 5, tries: 1 });
  const request = ask('file').catch(String);
  await settle();
  sent[0]?.fail(new UnavailableError({ ...answer, status: 503 }));
  await vi.waitFor(() => expect(names()).toHaveLength(2));
  const error = new UnavailableError({ ...answer, status: 500 });
  sent[1]?.fail(error);
  expect(await request).toBe(String(error));
  expect(names()).toHaveLength(2);
});

test('the wait for the end of a pause is not told as time in which the server is asked', async () => {
  const { sent, server } = createServer(0, { most: 5 });
  const told: string[] = [];
  const onPlace = () => {
    told.push(`sent ${sent.length}`);
    return () => told.push('ended');
  };
  const send = () =>
    new Promise<typeof answer>((resolve, reject) => {
      sent.push({ name: 'file', answer: () => resolve(answer), fail: reject });
    });
  const request = server.request(send, { signal, isRepeatable: true, onPlace });
  await settle();
  const headers = { 'retry-after': '1' };
  sent[0]?.fail(new UnavailableError({ ...answer, headers, status: 429 }));
  await settle();
  expect(told).toEqual(['sent 0', 'ended']);
  await vi.waitFor(() => expect(sent).toHaveLength(2), { timeout: 10_000 });
  sent[1]?.answer();
  expect(await request).toEqual(answer);
  expect(told).toEqual(['sent 0', 'ended', 'sent 1', 'ended']);
});
