import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { RequestLimit } from './request-limit.js';

const { signal } = new AbortController();

/** Tasks that end when told to. */
function createTasks(limit: RequestLimit) {
  const started: number[] = [];
  const endings = new Map<number, () => void>();
  return {
    started,
    run: (id: number, own = signal) =>
      limit.run(
        () =>
          new Promise<void>((resolve) => {
            started.push(id);
            endings.set(id, resolve);
          }),
        own,
      ),
    finish: (id: number) => endings.get(id)?.(),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('requests beyond the limit wait and start in order of arrival', async () => {
  const tasks = createTasks(new RequestLimit({ start: 2, max: 2 }));
  for (const id of [1, 2, 3, 4]) void tasks.run(id);
  await settle();
  expect(tasks.started).toEqual([1, 2]);
  tasks.finish(2);
  await settle();
  expect(tasks.started).toEqual([1, 2, 3]);
  tasks.finish(1);
  await settle();
  expect(tasks.started).toEqual([1, 2, 3, 4]);
});

test('one that waits and is aborted never starts and gives its place to the next', async () => {
  const tasks = createTasks(new RequestLimit({ start: 1, max: 1 }));
  const gone = new AbortController();
  void tasks.run(1);
  const aborted = tasks.run(2, gone.signal);
  void tasks.run(3);
  const reason = new Error('no longer wanted');
  gone.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  tasks.finish(1);
  await settle();
  expect(tasks.started).toEqual([1, 3]);
});

/** Rounds of answers, with more waiting all the while. */
async function answerRounds(limit: RequestLimit, rounds: number): Promise<void> {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const held = Array.from({ length: limit.size + 1 }, () =>
    limit.run(
      () =>
        new Promise<void>((_, reject) => {
          stop.signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
      stop.signal,
    ),
  );
  const ended = Promise.allSettled(held);
  for (let round = 0; round < rounds; round += 1) {
    for (let left = limit.size; left > 0; left -= 1) limit.answered();
  }
  stop.abort();
  await ended;
}

test('it doubles with each round of answers until the first overload, then grows by one', async () => {
  const limit = new RequestLimit({ start: 2, max: 32 });
  await answerRounds(limit, 2);
  expect(limit.size).toBe(8);
  await answerRounds(limit, 9);
  expect(limit.size).toBe(32);
  expect(limit.overloaded(performance.now())).toBe(true);
  expect(limit.size).toBe(16);
  await answerRounds(limit, 1);
  expect(limit.size).toBeLessThanOrEqual(17);
  await answerRounds(limit, 4);
  expect(limit.size).toBeGreaterThan(17);
});

test('nothing is gained by answers that nobody waits behind', () => {
  const limit = new RequestLimit({ start: 2, max: 32 });
  for (let left = 40; left > 0; left -= 1) limit.answered();
  expect(limit.size).toBe(2);
});

test('an overload halves it once for all that was in flight, and never below one', () => {
  const limit = new RequestLimit({ start: 8, max: 8 });
  const sentAt = performance.now();
  expect([1, 2, 3].map(() => limit.overloaded(sentAt))).toEqual([true, false, false]);
  expect(limit.size).toBe(4);
  for (let time = 0; time < 5; time += 1) limit.overloaded(performance.now());
  expect(limit.size).toBe(1);
});
