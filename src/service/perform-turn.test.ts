import { expect, test } from 'vitest';
import { noLog } from '../../test/support/no-log.js';
import { varBelow } from '../../test/support/output-below.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { unlimited } from '../../test/support/unlimited-queue.js';
import { reportWithoutResult } from '../run/analysis-report.js';
import { openResultsStore } from '../store/results-store.js';
import { readStateMarker } from '../store/state.js';
import { AnalysisQueue } from './analysis-queue.js';
import { performTurn } from './perform-turn.js';

const folder = folderForEach();

test('a run id of a stored run is not given again, though nothing else tells of it', async () => {
  const output = varBelow(folder());
  // From a backup, say: the state folder is empty.
  await openResultsStore(output.results_dir).write(sampleResults('20260819T091500Z', []));
  const now = () => new Date('2026-08-19T09:15:00Z');
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: null, log: noLog, now }, (given) => {
      for (const { id, runId } of given.calls)
        given.answer(id, { ...reportWithoutResult('NO_DATA', ''), run_id: runId });
      return Promise.resolve();
    }),
  );
  const webId = 'https://pods.example.org/alice/profile/card#me';
  const call = { webId, peer: '' };
  const report = await queue.enqueue(call, new AbortController().signal);
  await queue.whenEmpty();
  expect(report.run_id).toBe('20260819T091501Z');
});

test.each([
  [
    'for everybody',
    'The storage server could not be reached.',
    'The storage server could not be reached.',
  ],
  ['with an address', 'https://pods.example.org/alice/app/ could not be read.', ''],
])(
  'a message %s reaches its lone caller, and the marker, which everybody sees, only without an address',
  async (_, message, told) => {
    const output = varBelow(folder());
    const queue = new AnalysisQueue(unlimited, (turn) =>
      performTurn(turn, { output, timeoutSeconds: null, log: noLog }, (given) => {
        for (const { id } of given.calls) given.answer(id, reportWithoutResult('FAILED', message));
        return Promise.resolve();
      }),
    );
    const webId = 'https://pods.example.org/alice/profile/card#me';
    const report = await queue.enqueue({ webId, peer: '' }, new AbortController().signal);
    await queue.whenEmpty();
    expect(report.message).toBe(message);
    expect(await readStateMarker(output.state_dir)).toMatchObject({
      last_run: { status: 'FAILED', message: told },
    });
  },
);

test('what is older than output.keep_days goes also where every analysis fails', async () => {
  const output = varBelow(folder(), { keep_days: 7 });
  const results = openResultsStore(output.results_dir);
  await results.write(sampleResults('20260819T091500Z', []));
  const now = () => new Date('2026-08-28T00:00:00Z');
  const queue = new AnalysisQueue(unlimited, (turn) =>
    performTurn(turn, { output, timeoutSeconds: null, log: noLog, now }, () =>
      Promise.reject(new Error('The storage server could not be reached.')),
    ),
  );
  const webId = 'https://pods.example.org/alice/profile/card#me';
  const report = await queue.enqueue({ webId, peer: '' }, new AbortController().signal);
  expect(report.status).toBe('FAILED');
  expect(await results.readLatest()).toEqual({ state: 'absent' });
  expect(await results.listRuns()).toEqual([]);
  expect(await results.history.list()).toEqual([]);
});
