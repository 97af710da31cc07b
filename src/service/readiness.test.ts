import { expect, onTestFinished, test, vi } from 'vitest';
import { noLog } from '../../test/support/no-log.js';
import { ServerError } from '../base/errors.js';
import { Readiness } from './readiness.js';

const own = {
  webIds: ['https://pods.example/analyser/profile/card#me'],
  serverUrl: 'https://pods.example/',
};

const away = new ServerError('unreachable', 'away', { url: own.serverUrl });

test('a login does not wait for a probe that hangs, and does not fail with it', async () => {
  const url = 'https://pods.example/.oidc/token';
  const connections: string[] = [];
  let failProbe: (error: Error) => void = () => undefined;
  const probe = new Promise<never>((_resolve, reject) => {
    failProbe = reject;
  });
  const readiness = new Readiness(
    {
      connect: () => {
        const name = `connection ${connections.length + 1}`;
        connections.push(name);
        return Promise.resolve({ name, close: () => Promise.resolve() });
      },
      probe: () => probe,
    },
    {
      log: noLog,
      own,
      onChange: () => undefined,
      pauses: { evidenceMs: 0, firstMs: 60_000 },
    },
  );
  await readiness.start();
  readiness.recheck();
  const { signal } = new AbortController();
  const refused = new ServerError('login', 'The login was refused.', { url });
  await expect(readiness.use(signal, () => Promise.reject(refused))).rejects.toBe(refused);
  const used: string[] = [];
  await readiness.use(signal, ({ name }) => {
    used.push(name);
    return Promise.resolve([]);
  });
  expect(used).toEqual(['connection 2']);
  failProbe(new Error('too late'));
  await readiness.close();
});

test('who waits at the same time shares one login, and a cancelled analysis says nothing about the next', async () => {
  let logins = 0;
  const connector = {
    connect: () => {
      logins += 1;
      return Promise.resolve({ close: () => Promise.resolve() });
    },
    probe: () => Promise.resolve(),
  };
  const readiness = new Readiness(connector, { log: noLog, own, onChange: () => undefined });
  const { signal } = new AbortController();
  const [one, other] = await Promise.all([readiness.obtain(signal), readiness.obtain(signal)]);
  expect(one).toBe(other);
  const cancelling = new AbortController();
  const cancelled = readiness.use(cancelling.signal, () => {
    cancelling.abort();
    return Promise.reject(away);
  });
  await expect(cancelled).rejects.toBe(away);
  expect(readiness.state).toEqual({ ready: true, reason: '' });
  expect(logins).toBe(1);
  await readiness.close();
});

test('while the service cannot connect, it tries after pauses that double, up to half a minute, until one works', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const tries: number[] = [];
  const began = Date.now();
  let isAway = true;
  const connector = {
    connect: () => {
      tries.push((Date.now() - began) / 1000);
      return isAway ? Promise.reject(away) : Promise.resolve({ close: () => Promise.resolve() });
    },
    probe: () => Promise.resolve(),
  };
  const readiness = new Readiness(connector, { log: noLog, own, onChange: () => undefined });
  await readiness.start();
  await vi.advanceTimersByTimeAsync(95_000);
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(26_000);
  isAway = true;
  readiness.failed(away);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(tries.slice(8)).toEqual([121, 122, 124]);
  await readiness.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toHaveLength(11);
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
  let tries = 0;
  const connector = {
    connect(signal: AbortSignal) {
      tries += 1;
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
      });
    },
    probe: () => Promise.resolve(),
  };
  const readiness = new Readiness(connector, { log: noLog, own, onChange: () => undefined });
  void readiness.start();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(tries).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(tries).toBe(2);
  await readiness.close();
});
