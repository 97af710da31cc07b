import { expect, onTestFinished, test, vi } from 'vitest';
import { noLog } from '../../test/support/no-log.js';
import { ServerError } from '../base/errors.js';
import { type Pauses, Readiness } from './readiness.js';

const own = {
  webIds: ['https://pods.example/analyser/profile/card#me'],
  serverUrl: 'https://pods.example/',
};
const away = new ServerError('unreachable', 'away', { url: own.serverUrl });
const { signal } = new AbortController();

interface Connection {
  name: string;
  close: () => Promise<void>;
}

const nothing = () => Promise.resolve();

/** One that connects as the test says. */
function readinessWith(
  connect: (limit: AbortSignal) => Promise<void>,
  { probe = nothing, pauses = {} }: { probe?: () => Promise<void>; pauses?: Pauses } = {},
) {
  let tries = 0;
  const connector = {
    async connect(limit: AbortSignal): Promise<Connection> {
      tries += 1;
      const name = `connection ${tries}`;
      await connect(limit);
      return { name, close: () => Promise.resolve() };
    },
    probe,
  };
  const options = { log: noLog, own, onChange: () => undefined, pauses };
  return { readiness: new Readiness(connector, options), tried: () => tries };
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
  await expect(readiness.use(signal, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(await readiness.obtain(signal)).toMatchObject({ name: 'connection 2' });
  failProbe(new Error('too late'));
  await readiness.close();
});

test('who waits at the same time shares one login, and a cancelled analysis says nothing about the next', async () => {
  const { readiness, tried } = readinessWith(nothing);
  const [one, other] = await Promise.all([readiness.obtain(signal), readiness.obtain(signal)]);
  expect(one).toBe(other);
  const cancelling = new AbortController();
  const cancelled = readiness.use(cancelling.signal, () => {
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
  '[0.6] the time of an analysis begins when its turn does, when %s',
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
    const using = readiness.use(signal, (_connection, startedAt) => {
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
