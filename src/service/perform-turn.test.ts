import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noLog } from '../../test/support/no-log.js';
import { varBelow } from '../../test/support/output-below.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { unlimited } from '../../test/support/unlimited-queue.js';
import { reportWithoutResult } from '../run/analysis-report.js';
import { acquireLock, readLockState } from '../store/folder-lock.js';
import { openResultsStore } from '../store/results-store.js';
import { forAnalysis, readServiceState, readStateMarker } from '../store/state.js';
import { AnalysisQueue } from './analysis-queue.js';
import { performTurn } from './perform-turn.js';
import { Call, Turn } from './turn.js';

const folder = folderForEach();

test('[0.7] a run id of a stored run is not given again, though nothing else tells of it', async () => {
  const output = varBelow(folder());
  // From a backup, say: the state folder is empty.
  await openResultsStore(output.results_dir).write(sampleResults('20260819T091500Z', []));
  const now = () => new Date('2026-08-19T09:15:00Z');
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: null, log: noLog, now }, () => {
      for (const { id, runId } of turn.calls)
        turn.answer(id, { ...reportWithoutResult('NO_DATA', ''), run_id: runId });
      return Promise.resolve();
    }),
  );
  const report = await queue.enqueue({ webId }, new AbortController().signal);
  await queue.whenEmpty();
  expect(report.run_id).toBe('20260819T091501Z');
});

const webId = 'https://pods.example.org/alice/profile/card#me';
const answerAll = (given: Turn) => {
  for (const { id } of given.calls) given.answer(id, reportWithoutResult('FAILED', 'No luck.'));
  return Promise.resolve();
};

test('whoever has the last answer of a turn finds its end in the state of the service', async () => {
  const output = varBelow(folder());
  const states: unknown[] = [];
  const state = async () => states.push(await readServiceState(output.state_dir));
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: null, log: noLog }, async () => {
      await state();
      await answerAll(turn);
    }),
  );
  const callers = [webId, 'https://pods.example.org/bob/profile/card#me'];
  await Promise.all(
    callers.map((each) => queue.enqueue({ webId: each }, new AbortController().signal)),
  );
  await state();
  expect(states).toMatchObject([
    { running: { callers: 1 }, interrupted: null },
    { running: { callers: 1 }, interrupted: null, last_run: { message: 'No luck.' } },
    { running: null, last_run: { message: 'No luck.' } },
  ]);
  await queue.whenEmpty();
});

test('[0.5] the end of a turn is noted under its lock: afterwards the marker can be that of another process', async () => {
  const output = varBelow(folder());
  const atTheEnd: unknown[] = [];
  class WatchedTurn extends Turn {
    override async end(failure: unknown) {
      atTheEnd.push(await readLockState(output.state_dir, 'analysis'));
      await super.end(failure);
    }
  }
  const turn = new WatchedTurn([new Call(webId)]);
  await performTurn(turn, { output, timeoutSeconds: null, log: noLog }, () =>
    Promise.reject(new Error('The storage server could not be reached.')),
  );
  expect(atTheEnd).toMatchObject([{ state: 'alive' }]);
  expect(await readLockState(output.state_dir, 'analysis')).toMatchObject({ state: 'stopped' });
});

test('run-once serves no caller, and ends with the reason why it was cancelled', async () => {
  const output = varBelow(folder());
  const turn = new Turn([new Call(null)]);
  const running: unknown[] = [];
  const failure = await performTurn(
    turn,
    { output, timeoutSeconds: null, log: noLog },
    async () => {
      running.push(await readServiceState(output.state_dir));
      turn.cancelAll('shutdown');
      throw new Error('What was under way has failed.');
    },
  );
  expect(running).toMatchObject([{ running: { callers: 0 } }]);
  expect(failure).toMatchObject({ kind: 'cancelled' });
});

test('who is cancelled while another process has the lock waits for it no longer', async () => {
  const output = varBelow(folder());
  const lock = await acquireLock(output.state_dir, 'analysis', { about: forAnalysis });
  const turn = new Turn([new Call(webId)]);
  const tools = { output, timeoutSeconds: null, log: noLog };
  const ended = performTurn(turn, tools, () => Promise.reject(new Error('It has begun.')));
  turn.cancelAll('cancel');
  expect(await ended).toMatchObject({ kind: 'cancelled' });
  await lock.unlock();
});

test('the lock is free again when the folders turn out to be those of another Analyser', async () => {
  const output = varBelow(folder());
  const tools = { output, timeoutSeconds: null, log: noLog };
  await performTurn(new Turn([new Call(webId)]), tools, () => Promise.resolve());
  const others = { ...output, analyser: 'https://pods.example.org/other/profile/card#me' };
  const ofOthers = { ...tools, output: others };
  const failure = await performTurn(new Turn([new Call(webId)]), ofOthers, () => Promise.resolve());
  expect(failure).toMatchObject({ kind: 'configuration' });
  expect(await readLockState(output.state_dir, 'analysis')).toMatchObject({ state: 'stopped' });
});

test('a state of the service that cannot be written holds no answer back', async () => {
  const output = varBelow(folder());
  const failures: unknown[] = [];
  const onDiskFailure = (error: unknown) => failures.push(error);
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: null, log: noLog, onDiskFailure }, async () => {
      await rm(join(output.state_dir, 'state.json'));
      await mkdir(join(output.state_dir, 'state.json'));
      await answerAll(turn);
    }),
  );
  const report = await queue.enqueue({ webId }, new AbortController().signal);
  expect(report.message).toBe('No luck.');
  await queue.whenEmpty();
  expect(failures).toMatchObject([{ kind: 'disk' }]);
});

test.each([
  ['for everybody', false, 'No luck.'],
  ['for one person', true, ''],
])(
  '[0.8][8.2] a message %s reaches its lone caller, and the marker, which everybody sees, only if it is for all',
  async (_, isPersonal, told) => {
    const given = { ...reportWithoutResult('FAILED', 'No luck.'), isPersonal };
    const output = varBelow(folder());
    const queue = new AnalysisQueue(unlimited, (turn) =>
      performTurn(turn, { output, timeoutSeconds: null, log: noLog }, () => {
        for (const { id } of turn.calls) turn.answer(id, given);
        return Promise.resolve();
      }),
    );
    const report = await queue.enqueue({ webId }, new AbortController().signal);
    await queue.whenEmpty();
    expect(report.message).toBe('No luck.');
    expect(await readStateMarker(output.state_dir)).toMatchObject({
      last_run: { status: 'FAILED', message: told },
    });
  },
);

test('[0.8] of what callers are told differently, nothing reaches the marker, which everybody sees', async () => {
  const output = varBelow(folder());
  const sentences = ['Your own result has reached your Pod.', 'It has not.'];
  const turn = new Turn(
    sentences.map((_, index) => new Call(`https://pods.example.org/${index}/`)),
  );
  await performTurn(turn, { output, timeoutSeconds: null, log: noLog }, () => {
    for (const [index, { id, runId }] of turn.calls.entries())
      turn.answer(id, { ...reportWithoutResult('NO_DATA', sentences[index] ?? ''), run_id: runId });
    return Promise.resolve();
  });
  // The run is the last one, as in latest.json.
  expect(await readStateMarker(output.state_dir)).toMatchObject({
    last_run: { status: 'NO_DATA', message: '', run_id: turn.calls[1]?.runId },
  });
});

test('[8.5] what is older than output.keep_days goes also where every analysis fails', async () => {
  const output = varBelow(folder(), { keep_days: 7 });
  const results = openResultsStore(output.results_dir);
  await results.write(sampleResults('20260819T091500Z', []));
  const now = () => new Date('2026-08-28T00:00:00Z');
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: null, log: noLog, now }, () =>
      Promise.reject(new Error('The storage server could not be reached.')),
    ),
  );
  const report = await queue.enqueue({ webId }, new AbortController().signal);
  expect(report.status).toBe('FAILED');
  expect(await results.readLatest()).toEqual({ state: 'absent' });
  expect(await results.listRuns()).toEqual([]);
  expect(await results.history.list()).toEqual([]);
});

test('the best outcome of any call stands for the turn, with the highest run of these', async () => {
  const output = varBelow(folder());
  const turn = new Turn(
    ['a', 'b', 'c'].map((name) => new Call(`https://pods.example.org/${name}/`)),
  );
  await performTurn(turn, { output, timeoutSeconds: null, log: noLog }, () => {
    const [first, second, third] = turn.calls;
    for (const call of [first, second]) {
      if (call === undefined) continue;
      const report = { ...reportWithoutResult('FAILED', ''), status: 'COMPLETED' as const };
      turn.answer(call.id, { ...report, run_id: call.runId });
    }
    if (third !== undefined) third.cancel('cancel');
    return Promise.resolve();
  });
  expect(await readStateMarker(output.state_dir)).toMatchObject({
    last_run: { status: 'COMPLETED', run_id: turn.calls[1]?.runId },
  });
});

test('[0.5] a turn that lost its lock writes nothing', async () => {
  const output = varBelow(folder());
  const turn = new Turn([new Call(webId)]);
  const failure = await performTurn(
    turn,
    { output, timeoutSeconds: null, log: noLog },
    async () => {
      await rm(output.state_dir, { recursive: true });
      await turn.commit();
    },
  );
  expect(failure).not.toBeNull();
  expect(turn.reports).toMatchObject([{ status: 'FAILED' }]);
});

test('[0.6] past its time limit a turn is cancelled, and its calls have failed', async () => {
  const output = varBelow(folder());
  const turn = new Turn([new Call(webId)]);
  const tools = { output, timeoutSeconds: 0.05, log: noLog };
  const failure = await performTurn(turn, tools, async () => {
    await once(turn.signal, 'abort');
    throw new Error('What was under way has failed.');
  });
  expect(failure).toMatchObject({ kind: 'timeout' });
  expect(turn.reports).toMatchObject([
    { status: 'FAILED', message: 'The analysis took too long and was abandoned.' },
  ]);
});
