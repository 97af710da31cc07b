import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { away, connecting, later, nothing, ready } from '../../test/support/connecting.js';
import { AnalyserError } from '../base/errors.js';
import { Readiness } from './readiness.js';

const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Ready at first. `asked`: probes that went out by an ask after so many seconds. */
async function probing(ends: () => Promise<void> = nothing) {
  let probes = 0;
  const made = connecting(nothing, {
    pauses: later,
    probe: () => {
      probes += 1;
      return ends();
    },
  });
  const readiness = new Readiness(made.connector, made.options);
  await vi.advanceTimersByTimeAsync(60_000);
  await readiness.start();
  const asked = async (afterMs: number) => {
    const before = probes;
    await vi.advanceTimersByTimeAsync(afterMs);
    readiness.recheck();
    await vi.advanceTimersByTimeAsync(0);
    return probes - before;
  };
  return { ...made, readiness, asked };
}

test('a probe goes out when the last evidence is half a minute old, and is evidence itself', async () => {
  const { readiness, asked } = await probing();
  expect([await asked(29_999), await asked(1), await asked(29_999)]).toEqual([0, 1, 0]);
  expect(await asked(1)).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await readiness.useConnection(signal, () => Promise.resolve([]));
  expect([await asked(29_999), await asked(1)]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(30_000);
  // Some of it failed, so it shows nothing.
  const damaged = new AnalyserError('malformed', 'It is damaged.');
  await readiness.useConnection(signal, () => Promise.resolve([damaged]));
  expect(await asked(0)).toBe(1);
  await readiness.close();
  expect(await asked(30_000)).toBe(0);
});

test('a probe does not go out beside another one, nor beside an analysis', async () => {
  let end: () => void = () => undefined;
  const { readiness, asked } = await probing(() => new Promise((resolve) => void (end = resolve)));
  expect([await asked(30_000), await asked(30_000)]).toEqual([1, 0]);
  end();
  await vi.advanceTimersByTimeAsync(30_000);
  await readiness.useConnection(signal, async () => {
    expect(await asked(0)).toBe(0);
    return [new AnalyserError('malformed', 'It is damaged.')];
  });
  expect(await asked(0)).toBe(1);
  await readiness.close();
});

test.each([
  ['takes the connection with it', away, false, ['connection 1'], 0],
  ['says nothing, if it is of one document', new AnalyserError('malformed', 'It.'), true, [], 1],
])('a probe that fails %s', async (_, error, isReady, expected, again) => {
  const { readiness, closed, asked } = await probing(() => Promise.reject(error));
  expect(await asked(30_000)).toBe(1);
  expect([readiness.state.ready, closed]).toEqual([isReady, expected]);
  expect(await asked(0)).toBe(again);
  await readiness.close();
});

test('a probe that fails beside an analysis leaves the judgement to it', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { readiness, asked } = await probing(
    () => new Promise((_resolve, reject) => void (fail = reject)),
  );
  expect(await asked(30_000)).toBe(1);
  await readiness.useConnection(signal, async () => {
    fail(away);
    await vi.advanceTimersByTimeAsync(0);
    return [];
  });
  expect(readiness.state).toEqual(ready);
  await readiness.close();
});
