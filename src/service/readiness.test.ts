import { expect, onTestFinished, test, vi } from 'vitest';
import { away, connecting, later, nothing, own, ready } from '../../test/support/connecting.js';
import { noLog } from '../../test/support/no-log.js';
import { AnalyserError, ServerError } from '../base/errors.js';
import { Readiness } from './readiness.js';

const { signal } = new AbortController();

function readinessWith(...given: Parameters<typeof connecting>) {
  const made = connecting(...given);
  return { ...made, readiness: new Readiness(made.connector, made.options) };
}

test('a login does not wait for a probe that hangs, and does not fail with it', async () => {
  let failProbe: (error: Error) => void = () => undefined;
  const probe = () =>
    new Promise<never>((_resolve, reject) => {
      failProbe = reject;
    });
  const pauses = { evidenceMs: 0, firstMs: 60_000 };
  const { readiness } = readinessWith(nothing, { probe, pauses });
  await readiness.start();
  readiness.recheck();
  const url = `${own.serverUrl}.oidc/token`;
  const refused = new ServerError('login', 'The login was refused.', { url });
  await expect(readiness.useConnection(signal, () => Promise.reject(refused))).rejects.toBe(
    refused,
  );
  expect(await readiness.obtain(signal)).toMatchObject({ name: 'connection 2' });
  failProbe(new Error('too late'));
  await readiness.close();
});

test('who waits at the same time shares one login, and a cancelled analysis says nothing about the next', async () => {
  const { readiness, tried } = readinessWith(nothing);
  const [one, other] = await Promise.all([readiness.obtain(signal), readiness.obtain(signal)]);
  expect(one).toBe(other);
  const cancelling = new AbortController();
  const cancelled = readiness.useConnection(cancelling.signal, () => {
    cancelling.abort();
    return Promise.reject(away);
  });
  await expect(cancelled).rejects.toBe(away);
  expect(readiness.state).toEqual({ ready: true, reason: '' });
  expect(tried()).toBe(1);
  await readiness.close();
});

test.each([
  ['there is a login', true, 0],
  ['it has to log in first', false, 7_000],
])(
  '[0.6][4.16] the time of an analysis begins when its turn does, when %s',
  async (_, isReady, takes) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { readiness } = readinessWith(
      () => new Promise((resolve) => void setTimeout(resolve, 7_000)),
    );
    const advance = () => vi.advanceTimersByTimeAsync(7_000);
    if (isReady) await Promise.all([readiness.start(), advance()]);
    const began = performance.now();
    const passed: number[] = [];
    const using = readiness.useConnection(signal, (_connection, startedAt) => {
      passed.push(startedAt - began, performance.now() - startedAt);
      return Promise.resolve([]);
    });
    await Promise.all([using, advance()]);
    expect(passed).toEqual([0, takes]);
    await readiness.close();
  },
);

test('while the service cannot connect, it tries after pauses that double, up to half a minute, until one works', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const times: number[] = [];
  const began = Date.now();
  let isAway = true;
  const { readiness } = readinessWith(() => {
    times.push((Date.now() - began) / 1000);
    return isAway ? Promise.reject(away) : Promise.resolve();
  });
  await readiness.start();
  await vi.advanceTimersByTimeAsync(95_000);
  expect(times).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(26_000);
  isAway = true;
  readiness.failed(away);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(times.slice(8)).toEqual([121, 122, 124]);
  await readiness.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(times).toHaveLength(11);
});

test('an attempt to connect that hangs ends after a minute, and another follows', async () => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds);
    return controller.signal;
  });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const hangs = (limit: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      limit.addEventListener('abort', () => reject(new Error('given up')));
    });
  const { readiness, tried } = readinessWith(hangs);
  void readiness.start();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(tried()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(tried()).toBe(2);
  await readiness.close();
});

const failedWith = (failure: ConstructorParameters<typeof ServerError>[0], status?: number) =>
  new ServerError(failure, `${own.serverUrl}analyser/x and https://eve.example/y: ${failure}.`, {
    url: own.serverUrl,
    ...(status !== undefined && { status }),
  });

test.each<[string, unknown, RegExp | null]>([
  ['no answer', away, /could not be reached/],
  [
    'a login that is refused',
    failedWith('login'),
    /^https:\/\/pods\.example\/analyser\/x and another address: /,
  ],
  ['a token that is refused', failedWith('refused', 401), /and another address: refused\.$/],
  ['keys that have changed', new AnalyserError('keys', 'Other keys.'), /^Other keys\.$/],
  ['a full disk', new AnalyserError('disk', '/var/data is full.'), /^(?!.*\/var)./],
  ['a refusal of the own Pod', failedWith('refused', 403), /./],
  ['another refusal', failedWith('refused', 404), null],
  ['a forbidden page that is too large', failedWith('too-large', 403), null],
  ['a damaged document', new AnalyserError('malformed', 'It is damaged.'), null],
  ['a fault of ours', new Error('none of theirs'), null],
])('[T20] after %s the next analysis works only if it could', async (_, error, reason) => {
  const { readiness, told, closed } = readinessWith(nothing, { pauses: later });
  await readiness.start();
  readiness.failed(error, null);
  readiness.failed(error, { name: 'an earlier one', close: nothing });
  expect([readiness.state, closed]).toEqual([ready, []]);
  readiness.failed(error);
  // The next one that fails finds no connection to drop.
  if (reason !== null) readiness.failed(error);
  const state = reason === null ? ready : { ready: false, reason: expect.stringMatching(reason) };
  expect(readiness.state).toEqual(state);
  expect(told).toEqual(reason === null ? [ready] : [ready, state]);
  expect(closed).toEqual(reason === null ? [] : ['connection 1']);
  await readiness.close();
  expect(closed).toEqual(['connection 1']);
});

test('a connection that failed one caller is closed once, after the analysis that uses it', async () => {
  const logged = vi.spyOn(noLog, 'error');
  const told = vi.spyOn(noLog, 'info');
  onTestFinished(() => void vi.restoreAllMocks());
  const { readiness, closed } = readinessWith(nothing, { pauses: later });
  await readiness.useConnection(signal, () => Promise.resolve([]));
  expect(closed).toEqual([]);
  await readiness.useConnection(signal, async () => {
    readiness.failed(away);
    await Promise.resolve();
    expect(closed).toEqual([]);
    return [];
  });
  expect(closed).toEqual(['connection 1']);
  const damaged = new AnalyserError('malformed', 'It is damaged.');
  await readiness.useConnection(signal, () => Promise.resolve([damaged, away]));
  expect(readiness.state.ready).toBe(false);
  expect(closed).toEqual(['connection 1', 'connection 2']);
  const fault = new Error('none of theirs');
  await expect(readiness.useConnection(signal, () => Promise.reject(fault))).rejects.toBe(fault);
  // The operator finds each of them in the log.
  expect(logged.mock.calls.map(([entry]) => entry)).toEqual([
    { err: damaged },
    { err: away },
    { err: fault },
  ]);
  // And each time that the service was ready.
  expect(told).toHaveBeenCalledTimes(3);
  await readiness.close();
  expect(closed).toHaveLength(3);
});

test('while workers cannot read, that is the reason, and it is told when it changes', async () => {
  const warned = vi.spyOn(noLog, 'warn');
  onTestFinished(() => void vi.restoreAllMocks());
  const { readiness, told } = readinessWith(nothing);
  readiness.tellProblem('No worker.');
  expect(told).toEqual([]);
  expect(readiness.state).toEqual({ ready: false, reason: 'The service is logging in.' });
  await readiness.start();
  for (const problem of ['No worker.', 'No Redis.', 'No Redis.', '', '']) {
    readiness.tellProblem(problem);
  }
  expect(told.map(({ reason }) => reason)).toEqual(['No worker.', 'No Redis.', '']);
  expect(told.map((state) => state.ready)).toEqual([false, false, true]);
  expect(warned.mock.calls.map(([entry]) => entry)).toEqual([
    { reason: 'No worker.' },
    { reason: 'No Redis.' },
  ]);
  await readiness.close();
});

test('the same cause is a warning once, and words of a fault of ours are told to nobody', async () => {
  vi.useFakeTimers();
  const spies = { warn: vi.spyOn(noLog, 'warn'), debug: vi.spyOn(noLog, 'debug') };
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const causes = [away, away, away, new Error('secret')];
  const { readiness, tried } = readinessWith(() => Promise.reject(causes.shift() ?? away));
  await readiness.start();
  await vi.advanceTimersByTimeAsync(3_000);
  expect([tried(), spies.warn.mock.calls.length, spies.debug.mock.calls.length]).toEqual([3, 1, 2]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([tried(), spies.warn.mock.calls.length]).toEqual([4, 2]);
  expect(readiness.state.reason).toMatch(/failed to get ready\. The log of the service says why/);
  await readiness.close();
});

test('who has hung up gets no connection, and a service that is closed makes none', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gone = AbortSignal.abort(new Error('hung up'));
  const { readiness, tried, told } = readinessWith(
    (limit) =>
      new Promise((_resolve, reject) => {
        limit.addEventListener('abort', () => reject(new Error('closing')));
      }),
  );
  await expect(readiness.obtain(gone)).rejects.toThrow('hung up');
  expect(tried()).toBe(0);
  const started = readiness.start();
  await readiness.close();
  await started;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tried(), told]).toEqual([1, []]);
});

test('once a caller has had it connect, no attempt follows, and the same failure is a warning again', async () => {
  vi.useFakeTimers();
  const warned = vi.spyOn(noLog, 'warn');
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  let isAway = true;
  const { readiness, tried } = readinessWith(() =>
    isAway ? Promise.reject(away) : Promise.resolve(),
  );
  await readiness.start();
  isAway = false;
  await readiness.obtain(signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tried(), warned.mock.calls.length]).toEqual([2, 1]);
  readiness.failed(away);
  expect(warned).toHaveBeenCalledTimes(2);
  await readiness.close();
});

test('a login that ends while the service closes is closed as well', async () => {
  let end: () => void = () => undefined;
  const { readiness, closed } = readinessWith(() => new Promise((resolve) => void (end = resolve)));
  const started = readiness.start();
  const closing = readiness.close();
  end();
  await Promise.all([started, closing]);
  expect(closed).toEqual(['connection 1']);
});
