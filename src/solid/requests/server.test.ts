import { setImmediate as settle } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AnalyserError, ServerError, type ServerFailure } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import type { SolidRequest } from '../solid-client.js';
import { Patience } from './patience.js';
import {
  type RequestPolicy,
  readRetryAfter,
  rejectUnavailable,
  Server,
  UnavailableError,
  usualPolicy,
} from './server.js';

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 0],
  ['soon', 0],
  ['-1', 0],
  [undefined, 0],
])('Retry-After %s asks for a pause of %i ms', (value, pause) => {
  expect(readRetryAfter(value)).toBe(pause);
});

test.each([
  [200, false, false],
  [404, false, false],
  [429, true, true],
  [500, true, false],
  [501, false, false],
  [503, true, true],
  [507, false, false],
])('HTTP %i means a server in trouble: %s, and "not now": %s', (status, trouble, isBusy) => {
  const answer = { status, headers: {}, body: Buffer.alloc(0), url: 'https://pods.example/' };
  if (!trouble) expect(rejectUnavailable(answer)).toBe(answer);
  else
    expect(() => rejectUnavailable(answer)).toThrow(
      expect.objectContaining({ failure: 'unavailable', isBusy }),
    );
});

const never = new AbortController().signal;
const url = 'https://pods.example/';
const failure = (kind: ServerFailure) => new ServerError(kind, kind, { url });
const notNow = (headers: Record<string, string> = {}) =>
  new UnavailableError({ status: 503, headers, body: Buffer.alloc(0), url });

type Rules = Pick<SolidRequest, 'tries' | 'longestPauseMs' | 'isApart'> & {
  signal?: AbortSignal;
  isRepeatable?: boolean;
  patience?: Patience;
};

/** Its requests are answered, or fail, when told to. */
function createServer(policy: Partial<RequestPolicy> = {}) {
  const server = new Server({ ...usualPolicy, firstPauseMs: 1, ...policy });
  const sent: { name: string; answer: () => void; fail: (error: Error) => void }[] = [];
  const ask = (name: string, rules: Rules = {}) => {
    const send = (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        sent.push({ name, answer: () => resolve(name), fail: reject });
        onAbort(signal, () => {
          const reason: unknown = signal.reason;
          reject(reason);
        });
      });
    return server.request(send, { signal: never, ...rules });
  };
  return { sent, ask, names: () => sent.map(({ name }) => name) };
}

test('so many requests are in flight at once, and the others follow in order', async () => {
  const { sent, ask, names } = createServer({ atOnce: 2 });
  const all = ['1', '2', '3', '4'].map((name) => ask(name));
  await settle();
  expect(names()).toEqual(['1', '2']);
  sent[1]?.answer();
  await vi.waitFor(() => expect(names()).toEqual(['1', '2', '3']));
  sent[0]?.answer();
  sent[2]?.answer();
  await vi.waitFor(() => expect(names()).toEqual(['1', '2', '3', '4']));
  sent[3]?.answer();
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});

test('[7.7] a request that stands apart takes no place from others', async () => {
  const { sent, ask, names } = createServer({ atOnce: 1 });
  const all = [ask('hangs', { isApart: true }), ask('hangs', { isApart: true }), ask('file')];
  await settle();
  expect(names()).toEqual(['hangs', 'hangs', 'file']);
  for (const { answer } of sent) answer();
  await Promise.all(all);
});

test.each<[ServerFailure, number]>([
  ['unreachable', 4],
  ['unavailable', 4],
  ['slow', 2],
  ['login', 1],
  ['refused', 1],
  ['too-large', 1],
  ['forbidden-address', 1],
])('after the failure "%s" there are %i tries in all', async (kind, tries) => {
  const { sent, ask } = createServer({ tries: 4, slowTries: 2 });
  const asked = ask('file').catch((error: unknown) => error);
  for (let tried = 0; tried < tries; tried += 1) {
    await vi.waitFor(() => expect(sent).toHaveLength(tried + 1));
    sent[tried]?.fail(failure(kind));
  }
  expect(await asked).toMatchObject({ failure: kind });
  expect(sent).toHaveLength(tries);
});

test('what an inner request has given up is not tried again', async () => {
  const inner = createServer({ tries: 3 });
  const outer = new Server({ ...usualPolicy, firstPauseMs: 1 });
  const asked = outer.request(() => inner.ask('login'), { signal: never }).catch(String);
  for (let tried = 0; tried < 3; tried += 1) {
    await vi.waitFor(() => expect(inner.sent).toHaveLength(tried + 1));
    inner.sent[tried]?.fail(failure('unreachable'));
  }
  expect(await asked).toContain('unreachable');
  expect(inner.sent).toHaveLength(3);
});

test('a request that may be tried once is repeated only after "not now"', async () => {
  const { sent, ask } = createServer();
  const asked = ask('file', { isRepeatable: false }).catch((error: unknown) => error);
  await settle();
  sent[0]?.fail(notNow());
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  sent[1]?.fail(failure('unreachable'));
  expect(await asked).toMatchObject({ failure: 'unreachable' });
  expect(sent).toHaveLength(2);
});

test('what waits fails with a server that says "not now" to everything; later it is asked again', async () => {
  const { sent, ask, names } = createServer({ atOnce: 1, mostRefusals: 1 });
  const error = notNow();
  const all = ['1', '2', '3'].map((name) => ask(name).catch((reason: unknown) => reason));
  await settle();
  sent[0]?.fail(error);
  expect(await Promise.all(all)).toEqual([error, error, error]);
  const later = ask('later');
  await vi.waitFor(() => expect(names()).toEqual(['1', 'later']));
  sent[1]?.answer();
  expect(await later).toBe('later');
});

test('"not now" to requests in flight together counts once, and an answer begins anew', async () => {
  const { sent, ask } = createServer({ atOnce: 2, mostRefusals: 2 });
  const all = Promise.all([ask('1'), ask('2')]);
  await settle();
  for (const { fail } of sent.slice(0, 2)) fail(notNow());
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  sent[2]?.answer();
  await settle();
  sent[3]?.fail(notNow());
  await vi.waitFor(() => expect(sent).toHaveLength(5));
  sent[4]?.answer();
  await all;
});

test('the silence of one file says nothing about others', async () => {
  const { sent, ask, names } = createServer({ atOnce: 1, tries: 1 });
  const [first, second] = [ask('first').catch(String), ask('second')];
  await settle();
  sent[0]?.fail(failure('unreachable'));
  await first;
  await vi.waitFor(() => expect(names()).toEqual(['first', 'second']));
  sent[1]?.answer();
  expect(await second).toBe('second');
});

test('all requests pause as long as the server asks, and no longer than allowed', async () => {
  const { sent, ask, names } = createServer({ longestPauseMs: 300 });
  const all = [ask('1')];
  await settle();
  const from = performance.now();
  sent[0]?.fail(notNow({ 'retry-after': '3600' }));
  await settle();
  all.push(ask('2', { isApart: true }));
  await settle();
  expect(names()).toEqual(['1']);
  await vi.waitFor(() => expect(sent).toHaveLength(3), { timeout: 10_000 });
  expect(performance.now() - from).toBeGreaterThan(280);
  for (const { answer } of sent.slice(1)) answer();
  await Promise.all(all);
});

test('a request pauses no longer than it wants to, and the others go on pausing', async () => {
  const { sent, ask, names } = createServer();
  const reason = new AnalyserError('cancelled', 'stopped');
  const stop = new AbortController();
  const patient = ask('patient', { signal: stop.signal });
  await settle();
  sent[0]?.fail(notNow({ 'retry-after': '3600' }));
  await settle();
  const hasty = ask('hasty', { longestPauseMs: 50 });
  await vi.waitFor(() => expect(names()).toEqual(['patient', 'hasty']), { timeout: 10_000 });
  sent[1]?.fail(notNow({ 'retry-after': '3600' }));
  await vi.waitFor(() => expect(names()).toEqual(['patient', 'hasty', 'hasty']), {
    timeout: 10_000,
  });
  sent[2]?.answer();
  expect(await hasty).toBe('hasty');
  stop.abort(reason);
  await expect(patient).rejects.toBe(reason);
});

describe('a pause', () => {
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  test('is ended by the answer to a request that was sent after it began, not by one in flight', async () => {
    const { sent, ask, names } = createServer({ atOnce: 3 });
    const all = [ask('refused'), ask('in flight')];
    await later(10);
    sent[0]?.fail(notNow({ 'retry-after': '20' }));
    await later(10);
    sent[1]?.answer();
    await all[1];
    all.push(ask('hasty', { longestPauseMs: 3_000 }), ask('patient'));
    await later(2_900);
    expect(names()).toEqual(['refused', 'in flight']);
    await later(200);
    expect(names().slice(2)).toEqual(['hasty']);
    sent[2]?.answer();
    await later(1_000);
    expect(names().slice(3)).toEqual(['refused', 'patient']);
    for (const { answer } of sent.slice(3)) answer();
    await Promise.all(all);
  });

  test('holds up no request that finds nothing else under way, such as the first of an analysis', async () => {
    const { sent, ask, names } = createServer();
    const stop = new AbortController();
    const before = ask('before', { signal: stop.signal }).catch(String);
    await later(10);
    sent[0]?.fail(notNow({ 'retry-after': '20' }));
    await later(10);
    stop.abort(new AnalyserError('cancelled', 'stopped'));
    await before;
    const all = [ask('first'), ask('second')];
    await later(10);
    expect(names()).toEqual(['before', 'first']);
    sent[1]?.answer();
    await later(1_000);
    expect(names()).toEqual(['before', 'first', 'second']);
    sent[2]?.answer();
    await Promise.all(all);
  });
});

describe('the patience of a request', () => {
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  /** Asks with a patience of ten seconds, and tells after how many it was silent. */
  function askPatiently(ask: (name: string, rules: Rules) => Promise<string>) {
    const began = performance.now();
    const asked = ask('file', { patience: new Patience(url, 10_000) });
    const silent = asked.then(
      () => null,
      (error: unknown) => ({ error, seconds: (performance.now() - began) / 1000 }),
    );
    return silent;
  }

  test('[4.5] counts from when it was sent, not from when it was made', async () => {
    const { sent, ask } = createServer({ atOnce: 1 });
    const first = ask('first');
    const silent = askPatiently(ask);
    await later(5_000);
    sent[0]?.answer();
    await first;
    await later(20_000);
    expect(await silent).toMatchObject({ error: { failure: 'slow' }, seconds: 15 });
  });

  test('[4.5] does not count while the server asks to be left alone', async () => {
    const { sent, ask } = createServer();
    const silent = askPatiently(ask);
    await later(1_000);
    sent[0]?.fail(notNow({ 'retry-after': '20' }));
    await later(40_000);
    expect(await silent).toMatchObject({ error: { failure: 'slow' }, seconds: 30 });
  });

  test('[4.5] counts all tries together: of a machine that is gone each takes eight seconds', async () => {
    const { sent, ask } = createServer({ firstPauseMs: 250 });
    const silent = askPatiently(ask);
    await later(8_000);
    sent[0]?.fail(failure('unreachable'));
    await later(10_000);
    expect(await silent).toMatchObject({ error: { failure: 'slow', isFinal: true }, seconds: 10 });
    expect(sent).toHaveLength(2);
  });
});

test('one that waits for a place or for the end of a pause ends with its signal', async () => {
  const { sent, ask } = createServer({ atOnce: 1, firstPauseMs: 60_000, longestPauseMs: 60_000 });
  const reason = new AnalyserError('cancelled', 'stopped');
  const [paused, queued] = [new AbortController(), new AbortController()];
  const first = ask('1', { signal: paused.signal });
  const second = ask('2', { signal: queued.signal });
  await settle();
  queued.abort(reason);
  await expect(second).rejects.toBe(reason);
  sent[0]?.fail(failure('unreachable'));
  await settle();
  paused.abort(reason);
  await expect(first).rejects.toBe(reason);
  expect(sent).toHaveLength(1);
});
