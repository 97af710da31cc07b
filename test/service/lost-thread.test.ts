import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../src/base/logger.js';
import type { ObservedEvent } from '../../src/run/observer.js';
import { AnalysisQueue } from '../../src/service/analysis-queue.js';
import { AnalysisThread } from '../../src/service/analysis-thread.js';
import { threadData } from '../../src/service/between-threads.js';
import { performTurn } from '../../src/service/perform-turn.js';
import { Call, Turn } from '../../src/service/turn.js';
import { readStateMarker } from '../../src/store/state.js';
import { holdTimers } from '../support/held-timers.js';
import { varBelow } from '../support/output-below.js';
import { newFolder } from '../support/temp-folder.js';
import { unlimited } from '../support/unlimited-queue.js';

const entry = new URL('./dying-thread.mjs', import.meta.url);
const readingOf = 'https://x.example/mallory/app/data/x.enc.ttl';
const people = ['alice', 'bob', 'carol'].map((name) => `https://x.example/${name}/profile/card#me`);

/** The main thread's half of the service, with a thread that dies once. */
async function start(dieAt: string, how = 'exit', from = entry) {
  const lines: string[] = [];
  const log = createLogger({ verbose: false, stream: { write: (line) => void lines.push(line) } });
  const observed: ObservedEvent[] = [];
  const lives = new SharedArrayBuffer(4);
  const thread = new AnalysisThread({
    data: threadData.parse({ dieAt, how, lives, readingOf, secrets: { grpcToken: 'secret' } }),
    env: { APP_ANALYSER_GRPC_TOKEN: 'secret', NO_PROXY: 'pods.example' },
    log,
    observe: (event) => void observed.push(event),
    entry: from,
    resourceLimits: { maxOldGenerationSizeMb: 24 },
  });
  const output = varBelow(await newFolder());
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: 60, log }, (onFiles) =>
      thread.analyse(turn, onFiles),
    ),
  );
  await thread.start();
  const ask = (webId = '', hungUp = new AbortController().signal) =>
    queue.enqueue({ webId, peer: '' }, hungUp);
  const lost = () =>
    lines.filter((line) => line.includes('The analysis thread has ended; another one')).length;
  const close = async () => {
    await queue.whenEmpty();
    await thread.shutDown();
  };
  return { thread, queue, ask, close, lost, observed, output, log: () => lines.join('') };
}

test.each([
  ['reading', 'exit'],
  ['reading', 'throw'],
  ['reading', 'run out of memory'],
  ['publishing', 'exit'],
  ['publishing', 'run out of memory'],
])('[0.9] a thread that dies while %s (%s) fails its callers alone', async (dieAt, how) => {
  const { thread, queue, ask, close, lost, output, log } = await start(dieAt, how);
  const failed = await ask(people[0]);
  expect(failed).toMatchObject({
    status: 'FAILED',
    message: 'The analysis failed inside the service. The log of the service says why.',
    published: false,
  });
  expect(await readStateMarker(output.state_dir)).toMatchObject({
    running: null,
    last_run: { status: 'FAILED', message: failed.message },
  });
  expect(queue.inHand).toBe(0);
  // Nobody has to start anything, and the lock of var/ is free.
  const next = await ask(people[1]);
  expect(next).toMatchObject({ status: 'COMPLETED' });
  expect(next.run_id > failed.run_id).toBe(true);
  expect(lost()).toBe(1);
  expect(log()).toContain('The analysis thread has ended; another one is started.');
  expect(log().includes(`${readingOf} was being read when the thread ended`)).toBe(
    dieAt === 'reading',
  );
  expect(thread.state).toEqual({ ready: true, reason: '' });
  await close();
});

/** One whose only call was cancelled while it read; the test moves the clock. */
async function startCancelled(how?: string) {
  const started = await start('never', how);
  const caller = new AbortController();
  const answer = started.ask(people[0], caller.signal);
  const running = async () => (await readStateMarker(started.output.state_dir))?.running;
  await expect.poll(running).toMatchObject({ callers: 1, files: { read: 40, all: 312 } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await started.close();
  });
  caller.abort();
  expect(await answer).toMatchObject({ status: 'CANCELLED' });
  expect(await running()).toBeNull();
  return { ...started, terminate };
}

test('one that hears no stop is ended twenty seconds later', async () => {
  const { lost, terminate } = await startCancelled();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(lost).toBe(1);
});

test('one that has heard a stop is left alone afterwards', async () => {
  const { queue, lost, terminate } = await startCancelled('hears a Cancel');
  await queue.whenEmpty();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(terminate).not.toHaveBeenCalled();
  expect(lost()).toBe(0);
});

test('[0.10] one that still writes when the service stops is told to end', async () => {
  const { queue, ask, close, output } = await start('', 'writes on');
  const answer = ask(people[0]);
  const running = async () => (await readStateMarker(output.state_dir))?.running;
  await expect.poll(running).toMatchObject({ files: { read: 312 } });
  await queue.drain(0);
  expect(await answer).toMatchObject({ status: 'COMPLETED' });
  await close();
});

test('[0.11] a turn that was cancelled before is not given to one', async () => {
  const { thread, close } = await start('never');
  const turn = new Turn(people.map((webId) => new Call(webId)));
  turn.cancelAll('cancel');
  const cancelled = { kind: 'cancelled' };
  await expect(thread.analyse(turn, () => undefined)).rejects.toMatchObject(cancelled);
  await close();
});

test('[0.9] who was answered before it died stays answered, and the others of the turn fail', async () => {
  const { ask, close } = await start('after an answer');
  const calls = people.map((webId) => ask(webId));
  // The first has its turn alone, the other two wait and have theirs together.
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
  await close();
});

test('one that dies before it is asked for anything is replaced, without a call', async () => {
  const { thread, ask, close, lost, observed } = await start('start');
  await expect.poll(() => lost()).toBe(1);
  await expect.poll(() => thread.state).toEqual({ ready: true, reason: '' });
  expect(observed).toEqual([true, false, true].map((ready) => ({ kind: 'readiness', ready })));
  expect(await ask(people[0])).toMatchObject({ status: 'COMPLETED' });
  await close();
});

test('[T41] one is not given the token of the calls, and of the environment of the process the variables of proxies alone', async () => {
  const given = '[process.env, workerData.secrets]';
  const state = `{ ready: true, reason: JSON.stringify(${given}) }`;
  const code = `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.close());
    parentPort.postMessage({ kind: 'readiness', state: ${state} });`;
  const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const { thread, close } = await start('', '', entry);
  expect(JSON.parse(thread.state.reason)).toEqual([
    { NO_PROXY: 'pods.example' },
    { grpcToken: null },
  ]);
  await close();
});

test('one that cannot start is started again after pauses that double', async () => {
  const pass = holdTimers('setTimeout');
  const broken = new URL('data:text/javascript,throw new Error("broken")');
  const { thread, lost } = await start('', '', broken);
  // Not vi.waitUntil, which moves the held clock at each look.
  const ended = async (times: number) => {
    while (lost() < times) await pass(0);
  };
  await ended(1);
  for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    await pass(1_000 * seconds - 1);
    expect(lost()).toBe(index + 1);
    await pass(1);
    await ended(index + 2);
  }
  await thread.shutDown();
});
