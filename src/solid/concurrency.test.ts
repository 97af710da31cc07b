import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency.js';

const { signal } = new AbortController();
setMaxListeners(0, signal);
const near = { server: 'near', signal };

/** Tasks that end when told to. */
function createTasks() {
  const started: number[] = [];
  const endings = new Map<number, { resolve: () => void; reject: (error: unknown) => void }>();
  return {
    started,
    task: (id: number) => () =>
      new Promise<void>((resolve, reject) => {
        started.push(id);
        endings.set(id, { resolve, reject });
      }),
    finish: (id: number) => endings.get(id)?.resolve(),
    fail: (id: number, error: Error) => endings.get(id)?.reject(error),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('tasks beyond the limit wait and start in order of arrival', async () => {
  const limit = createConcurrencyLimit({ start: 2, max: 2, isOverload: () => false });
  const tasks = createTasks();
  for (const id of [1, 2, 3, 4]) void limit.run(tasks.task(id), near);
  await settle();
  expect(tasks.started).toEqual([1, 2]);
  tasks.finish(2);
  await settle();
  expect(tasks.started).toEqual([1, 2, 3]);
});

test('a waiting task that is aborted never starts and gives its place to the next', async () => {
  const limit = createConcurrencyLimit({ start: 1, max: 1, isOverload: () => false });
  const tasks = createTasks();
  const gone = new AbortController();
  void limit.run(tasks.task(1), near);
  const aborted = limit.run(tasks.task(2), { ...near, signal: gone.signal });
  void limit.run(tasks.task(3), near);
  const reason = new Error('no longer wanted');
  gone.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  tasks.finish(1);
  await settle();
  expect(tasks.started).toEqual([1, 3]);
});

/** Answers that take as long as they are told to, by a clock of their own. */
function createAnswers(start: number, max: number, isBusy = () => false) {
  let clock = 0;
  const now = () => clock;
  const limit = createConcurrencyLimit({ start, max, isOverload: () => false, isBusy, now });
  const answer = async (ms: number, count: number, server = 'near'): Promise<void> => {
    const tasks = createTasks();
    const on = { server, signal };
    const all = Array.from({ length: count }, (_, id) => limit.run(tasks.task(id), on));
    await settle();
    for (let ended = 0; ended < count; ) {
      clock += ms;
      for (const id of tasks.started.slice(ended)) tasks.finish(id);
      ended = tasks.started.length;
      await settle();
    }
    await Promise.all(all);
  };
  return { limit, answer };
}

test('the limit grows while answers are quick and others wait, up to its maximum', async () => {
  const { limit, answer } = createAnswers(2, 12);
  await answer(50, 6);
  expect(limit.size).toBe(4);
  await answer(50, 60);
  expect(limit.size).toBe(12);
});

test('answers that wait a little for each other leave it where it is best for the server', async () => {
  const { limit, answer } = createAnswers(4, 16);
  await answer(20, 1);
  await answer(400, 80);
  expect(limit.size).toBe(16);
});

test('answers that only wait for each other make the limit go back to its start', async () => {
  const { limit, answer } = createAnswers(4, 16);
  await answer(20, 80);
  expect(limit.size).toBe(16);
  await answer(600, 300);
  expect(limit.size).toBe(4);
  // From now on in small steps.
  await answer(20, 12);
  expect(limit.size).toBeGreaterThan(4);
  expect(limit.size).toBeLessThan(8);
});

test('a process that is busy all the time asks for no more at once than it started with', async () => {
  let busy = false;
  const { limit, answer } = createAnswers(4, 16, () => busy);
  await answer(20, 80);
  expect(limit.size).toBe(16);
  busy = true;
  await answer(20, 300);
  expect(limit.size).toBe(4);
  busy = false;
  await answer(20, 300);
  expect(limit.size).toBe(16);
});

test('a busy process goes back to its start after a server has choked', async () => {
  const { limit, answer } = createAnswers(4, 16, () => true);
  limit.stepBack();
  limit.stepBack();
  expect(limit.size).toBe(1);
  await answer(20, 60);
  expect(limit.size).toBe(4);
});

test('a server far away is not held against one nearby', async () => {
  const { limit, answer } = createAnswers(2, 12);
  await answer(5, 1);
  await answer(600, 60, 'far');
  expect(limit.size).toBe(12);
});

test('slow answers do not make the limit grow', async () => {
  let clock = 0;
  const limit = createConcurrencyLimit({
    start: 2,
    max: 4,
    isOverload: () => false,
    now: () => (clock += 2_000),
  });
  await Promise.all(Array.from({ length: 40 }, () => limit.run(settle, near)));
  expect(limit.size).toBe(2);
});

test('signs of overload halve the limit once for all that was in flight', async () => {
  const overload = new Error('HTTP 503');
  const limit = createConcurrencyLimit({ start: 8, max: 8, isOverload: (e) => e === overload });
  const tasks = createTasks();
  const results = [1, 2, 3].map((id) => limit.run(tasks.task(id), near).catch(() => undefined));
  await settle();
  for (const id of [1, 2, 3]) tasks.fail(id, overload);
  await Promise.all(results);
  expect(limit.size).toBe(4);
});

test('a bound that changes holds from then on, and 0 lets nothing start', async () => {
  const limit = createConcurrencyLimit({ start: 4, max: 8, isOverload: () => false });
  const tasks = createTasks();
  limit.bound(0);
  for (const id of [1, 2, 3]) void limit.run(tasks.task(id), near);
  await settle();
  expect(tasks.started).toEqual([]);
  limit.bound(2);
  await settle();
  expect(tasks.started).toEqual([1, 2]);
  tasks.finish(1);
  tasks.finish(2);
  await settle();
  expect(tasks.started).toEqual([1, 2, 3]);
  tasks.finish(3);
  await Promise.all(Array.from({ length: 40 }, () => limit.run(settle, near)));
  expect(limit.size).toBe(2);
  limit.bound(8);
  // What it had begun with, and lost nothing of.
  expect(limit.size).toBe(4);
});

test('one that sees an overload tells it, and steps back when another has seen one', async () => {
  const overload = new Error('HTTP 503');
  let told = 0;
  const limit = createConcurrencyLimit({
    start: 8,
    max: 8,
    isOverload: (error) => error === overload,
    onOverload: () => (told += 1),
  });
  await limit.run(() => Promise.reject(overload), near).catch(() => undefined);
  expect([limit.size, told]).toEqual([4, 1]);
  limit.stepBack();
  expect([limit.size, told]).toEqual([2, 1]);
});

test('other failures leave the limit alone and free their place', async () => {
  const limit = createConcurrencyLimit({ start: 1, max: 1, isOverload: () => false });
  const failing = limit.run(() => Promise.reject(new Error('HTTP 404')), near);
  await expect(failing).rejects.toThrow('HTTP 404');
  await expect(limit.run(() => Promise.resolve('next'), near)).resolves.toBe('next');
  expect(limit.size).toBe(1);
});
