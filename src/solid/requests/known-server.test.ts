import { setImmediate as settle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ServerError } from '../../base/errors.js';
import { KnownServer } from './known-server.js';
import { DEFAULT_RETRY } from './retry.js';

const { signal } = new AbortController();
const answer = { status: 200, headers: {}, body: Buffer.alloc(0), url: 'https://pods.example/' };

/** A server that gets one request at a time; each is answered or fails when told to. */
function createServer(leaveAloneMs: number) {
  const policy = { ...DEFAULT_RETRY, tries: 1 };
  const retries = { policy, random: () => 0.5, now: Date.now };
  const server = new KnownServer({ bounds: { start: 1, max: 1 }, retries, leaveAloneMs });
  const sent: { name: string; answer: () => void; fail: (error: Error) => void }[] = [];
  const ask = (name: string) => {
    const send = () =>
      new Promise<typeof answer>((resolve, reject) => {
        sent.push({ name, answer: () => resolve(answer), fail: reject });
      });
    return server.request(send, { signal, isRepeatable: true });
  };
  return { sent, ask, names: () => sent.map(({ name }) => name) };
}

test.each([
  ['the own server is asked again', 0, ['first', 'later']],
  ['another server is left alone', 60_000, ['first']],
])('what waits fails with a server that gives nothing; later %s', async (_, silence, asked) => {
  const { sent, ask, names } = createServer(silence);
  const requests = [ask('first'), ask('second'), ask('third')].map((one) => one.catch(String));
  await settle();
  const error = new ServerError('unreachable', 'it gives nothing', { url: answer.url });
  sent[0]?.fail(error);
  expect(await Promise.all(requests)).toEqual(Array.from({ length: 3 }, () => String(error)));
  const later = ask('later').catch(String);
  await settle();
  expect(names()).toEqual(asked);
  sent[1]?.answer();
  expect(await later).toEqual(silence === 0 ? answer : String(error));
});
