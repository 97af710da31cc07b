import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noLog } from '../../test/support/no-log.js';
import { varBelow } from '../../test/support/output-below.js';
import { recordedLog } from '../../test/support/recorded-log.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { type AnalysisReport, reportWithoutResult } from '../run/analysis-report.js';
import { acquireLock } from '../store/folder-lock.js';
import { readServiceState, readStateMarker } from '../store/state.js';
import { performTurn } from './perform-turn.js';
import { Call, Turn } from './turn.js';

const folder = folderForEach();
const seconds = 1_000;
const webIdOf = (name: string) => `https://pods.example.org/${name}/profile/card#me`;
const webId = webIdOf('alice');
const nothing = () => Promise.resolve();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('the log tells how many callers a turn has, how it ended, and how long it took', async () => {
  vi.advanceTimersByTime(5 * seconds);
  const { log, lines } = recordedLog();
  const turn = new Turn([webId, webIdOf('bob'), webId].map((each) => new Call(each)));
  const tools = { output: varBelow(folder()), timeoutSeconds: null, log };
  await performTurn(turn, tools, () => {
    vi.advanceTimersByTime(1_500);
    for (const { id, runId } of turn.calls)
      turn.answer(id, { ...reportWithoutResult('NO_DATA', ''), run_id: runId });
    return Promise.resolve();
  });
  const run_id = turn.calls[1]?.runId;
  expect(lines).toMatchObject([
    { callers: 2, msg: 'An analysis starts.' },
    { status: 'NO_DATA', run_id, duration_ms: 1_500, msg: 'An analysis ends.' },
  ]);
});

describe('a failure around the analysis', () => {
  const failed = { level: 50, msg: 'An analysis failed.' };

  /** What is told of it; the turn never begins. */
  async function toldOf(
    change: (output: ReturnType<typeof varBelow>) => Promise<unknown>,
    isTold = true,
  ) {
    const output = varBelow(folder());
    const { log, lines } = recordedLog();
    const ofDisk: unknown[] = [];
    const onDiskFailure = (error: unknown) => ofDisk.push(error);
    await change(output);
    const tools = { output, timeoutSeconds: null, log, ...(isTold && { onDiskFailure }) };
    const failure = await performTurn(new Turn([new Call(webId)]), tools, nothing);
    return { failure, lines, ofDisk };
  }
  const breakDisk = async ({ state_dir }: ReturnType<typeof varBelow>) =>
    await writeFile(state_dir, '');

  test('of the disk is logged, and told to who watches over the disk', async () => {
    const { failure, lines, ofDisk } = await toldOf(breakDisk);
    expect(failure).toMatchObject({ kind: 'disk' });
    expect(ofDisk).toEqual([failure]);
    expect(lines).toMatchObject([failed, { status: 'FAILED', msg: 'An analysis ends.' }]);
  });

  test('is logged where nobody watches over the disk', async () => {
    const { failure, lines } = await toldOf(breakDisk, false);
    expect(failure).toMatchObject({ kind: 'disk' });
    expect(lines).toMatchObject([failed, { status: 'FAILED' }]);
  });

  test('that is none of the disk is only logged', async () => {
    const { failure, lines, ofDisk } = await toldOf(async (output) => {
      const tools = { output: { ...output, analyser: webIdOf('other') }, timeoutSeconds: null };
      await performTurn(new Turn([new Call(webId)]), { ...tools, log: noLog }, nothing);
    });
    expect(failure).toMatchObject({ kind: 'configuration' });
    expect(ofDisk).toEqual([]);
    expect(lines).toMatchObject([failed, { status: 'FAILED' }]);
  });
});

test('who waits for another process is told so, and a Cancel meanwhile is no failure', async () => {
  vi.useRealTimers();
  const output = varBelow(folder());
  const lock = await acquireLock(output.state_dir, 'analysis');
  const turn = new Turn([new Call(webId)]);
  const waits = 'Another process runs an analysis; this one waits for its turn.';
  const { log, lines } = recordedLog((line) => {
    if (line.includes(waits)) turn.cancelAll('cancel');
  });
  await performTurn(turn, { output, timeoutSeconds: null, log }, nothing);
  expect(lines).toMatchObject([{ msg: waits }, { status: 'CANCELLED', msg: 'An analysis ends.' }]);
  await lock.unlock();
}, 5_000);

test('how much was read stands in the state of the service', async () => {
  const output = varBelow(folder());
  const turn = new Turn([new Call(webId)]);
  const tools = { output, timeoutSeconds: null, log: noLog };
  const failure = await performTurn(turn, tools, async (onFiles) => {
    onFiles(3, 9);
    const state = async () => (await readServiceState(output.state_dir))?.running;
    await expect
      .poll(state, { timeout: 2 * seconds })
      .toMatchObject({ files: { read: 3, all: 9 } });
  });
  expect(failure).toBe(null);
});

describe('the time limit', () => {
  /** Whether the turn was cancelled after so long. */
  async function isCancelledAfter(milliseconds: number, timeoutSeconds: number | null) {
    const turn = new Turn([new Call(webId)]);
    let isCancelled = false;
    const tools = { output: varBelow(folder()), timeoutSeconds, log: noLog };
    await performTurn(turn, tools, () => {
      vi.advanceTimersByTime(milliseconds);
      isCancelled = turn.signal.aborted;
      return Promise.resolve();
    });
    // That of the note of its end.
    vi.advanceTimersByTime(seconds);
    expect(vi.getTimerCount()).toBe(0);
    return isCancelled;
  }

  test.each([
    ['not at once', 60, 0, false],
    ['not before', 60, 60 * seconds - 1, false],
    ['when it is reached', 60, 60 * seconds, true],
    ['never where there is none', null, 10_000 * seconds, false],
  ])('[0.6] cancels a turn %s', async (_, limit, milliseconds, expected) => {
    expect(await isCancelledAfter(milliseconds, limit)).toBe(expected);
  });
});

describe('what the marker tells of several answers', () => {
  const done: AnalysisReport = { ...reportWithoutResult('FAILED', 'Done.'), status: 'COMPLETED' };
  const failedReport = reportWithoutResult('FAILED', 'No luck.');
  const run = (nth: number) => `2026081${nth}T091500Z`;

  test.each<[string, AnalysisReport[], object]>([
    [
      'the message of the best',
      [failedReport, done, done],
      { status: 'COMPLETED', message: 'Done.' },
    ],
    ['no run where none was stored', [failedReport], { status: 'FAILED', run_id: null }],
    [
      'the highest run, in whatever order they came',
      [2, 3, 1].map((nth) => ({ ...done, run_id: run(nth) })),
      { run_id: run(3) },
    ],
    ['no message that is personal for one', [done, { ...done, isPersonal: true }], { message: '' }],
  ])('[0.8] %s', async (_, reports, expected) => {
    const output = varBelow(folder());
    const turn = new Turn(reports.map((_report, nth) => new Call(webIdOf(`${nth}`))));
    await performTurn(turn, { output, timeoutSeconds: null, log: noLog }, () => {
      for (const [nth, { id }] of turn.calls.entries()) {
        const report = reports[nth];
        if (report !== undefined) turn.answer(id, report);
      }
      return Promise.resolve();
    });
    expect(await readStateMarker(output.state_dir)).toMatchObject({ last_run: expected });
  });
});
