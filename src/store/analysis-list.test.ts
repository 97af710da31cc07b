import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import type { ResultsDocument } from '../documents/results-document.js';
import { openAnalysisList } from './analysis-list.js';
import { openResultsStore } from './results-store.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analyses-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const second = (number: number) => String(number).padStart(2, '0');
/** Made in that second; callers of one analysis have one `at`. */
const run = (number: number, podIds: string[], at = number): ResultsDocument => ({
  ...sampleResults(`20260819T0915${second(number)}Z`, podIds),
  generated_at: `2026-08-19T09:15:${second(at)}.000+00:00`,
});
const writeAll = async (...documents: ResultsDocument[]) => {
  const store = openResultsStore(folder);
  for (const document of documents) await store.write(document);
};
const open = () => openAnalysisList(folder, openResultsStore(folder));
const seconds = (runIds: readonly string[]) => runIds.map((runId) => Number(runId.slice(13, 15)));
/** `3,2 +a -b`: the runs of an analysis, who joined and who left. */
const told = async (list: ReturnType<typeof open>) =>
  (await list.list()).map(({ runs, joined, left }) =>
    [
      seconds(runs.map(({ run_id }) => run_id)).join(),
      ...joined.map((podId) => `+${podId}`),
      ...left.map((podId) => `-${podId}`),
    ].join(' '),
  );

test('a folder that is not there holds no analyses', async () => {
  const list = openAnalysisList(join(folder, 'none'), openResultsStore(join(folder, 'none')));
  expect([await list.list(), await list.listRuns()]).toEqual([[], []]);
});

test('callers of one analysis are one, and who came and went is told once', async () => {
  const list = open();
  await writeAll(run(1, ['a', 'b']), run(2, ['a', 'b'], 1));
  // By another process, which has not written the analyses before.
  await writeAll(run(3, ['b', 'c']), run(4, ['b', 'c'], 3), run(3, ['b', 'c'], 3));
  expect(await told(list)).toEqual(['4,3 +c -a', '2,1 +a +b']);
  await writeAll(run(5, ['b', 'c']));
  expect(await told(list)).toEqual(['5', '4,3 +c -a', '2,1 +a +b']);
});

test('what a run says when it is written again counts', async () => {
  const list = open();
  const document = run(1, ['a']);
  await writeAll(document);
  expect(await list.list()).toMatchObject([{ runs: [{ warnings: 1, failed_deliveries: 0 }] }]);
  const published = [
    {
      kind: 'pod-average' as const,
      pod_id: 'a',
      resource_url: 'https://pods.example.org/x',
      recipients: [],
      failures: { 'https://pods.example.org/a/profile/card#me': 'No inbox.' },
    },
  ];
  await writeAll({ ...document, sharing: { enabled: true, published } });
  expect(await list.list()).toMatchObject([
    { joined: ['a'], runs: [{ warnings: 1, failed_deliveries: 1 }] },
  ]);
});

test('the newest analysis is the one that was written last, whatever a clock said', async () => {
  await writeAll(run(1, ['a']), run(50, ['a']), run(2, ['a']));
  expect(await told(open())).toEqual(['2', '50', '1 +a']);
  expect(seconds(await open().listRuns())).toEqual([2, 50, 1]);
});

test('an analysis outlasts its run documents, which are listed no more', async () => {
  await writeAll(run(1, ['a']), run(2, ['a']));
  const list = open();
  const { run_id } = run(1, []);
  await rm(join(folder, `run-${run_id}.json`));
  expect(await told(list)).toEqual(['2', '1 +a']);
  expect(seconds(await list.listRuns())).toEqual([2]);
});

describe('without its lines', () => {
  test('every run document is read, and once', async () => {
    await writeAll(run(1, ['a']), run(2, ['a', 'b'], 1), run(3, ['b']));
    await rm(join(folder, 'analyses.jsonl'));
    const store = openResultsStore(folder);
    const read: string[] = [];
    const list = openAnalysisList(folder, {
      listRuns: store.listRuns,
      readRun(runId) {
        read.push(runId);
        return store.readRun(runId);
      },
    });
    expect(await told(list)).toEqual(['3 -a', '2,1 +b']);
    await writeAll(run(4, ['b', 'c']));
    expect(await told(list)).toEqual(['4 +c', '3 -a', '2,1 +b']);
    expect(seconds(read)).toEqual([1, 2, 3]);
  });

  test('a crash between a run document and its line loses neither', async () => {
    await writeAll(run(1, ['a']), run(2, ['a']), run(4, ['a']));
    const path = join(folder, 'analyses.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const torn = lines.map((line) => (line.includes('091502Z') ? line.slice(0, 100) : line));
    await writeFile(path, torn.join('\n'));
    expect(await told(open())).toEqual(['4', '2', '1 +a']);
  });

  test('a line that a crash has torn spoils no other', async () => {
    await writeAll(run(1, ['a']));
    await appendFile(join(folder, 'analyses.jsonl'), '\n{"run_id":"2026');
    const list = open();
    expect(await told(list)).toEqual(['1 +a']);
    await writeAll(run(2, ['a', 'b']));
    expect(await told(list)).toEqual(['2 +b', '1 +a']);
  });

  test('a damaged run is listed, and no analysis', async () => {
    await writeAll(run(1, ['a']));
    await writeFile(join(folder, `run-${run(2, []).run_id}.json`), '{');
    expect(await told(open())).toEqual(['1 +a']);
    expect(seconds(await open().listRuns())).toEqual([2, 1]);
  });
});

test('a Pod that was erased is not told of any more, by a list that knew it', async () => {
  await writeAll(run(1, ['a', 'b']), run(2, ['b']));
  const list = open();
  expect(await told(list)).toEqual(['2 -a', '1 +a +b']);
  await openResultsStore(folder).forgetChanges((podId) => podId === 'a');
  expect(await told(list)).toEqual(['2', '1 +b']);
  expect(await readFile(join(folder, 'analyses.jsonl'), 'utf8')).not.toContain('"a"');
});

/** The run with other figures of these Pods. */
function changed(document: ResultsDocument, ...podIds: string[]): ResultsDocument {
  const pods = document.pods.map((pod) =>
    podIds.includes(pod.pod_id) ? { ...pod, observation_count: pod.observation_count + 1 } : pod,
  );
  return { ...document, pods };
}

/** The run in which this Pod gave no answer and counted as in the one before. */
function silent(document: ResultsDocument, podId: string): ResultsDocument {
  const pods = document.pods.map((pod) => {
    const { measures, observation_count } = pod;
    if (pod.pod_id !== podId) return pod;
    return {
      ...pod,
      observation_count: 0,
      carried: { from: '2026-08-18', observation_count, measures },
    };
  });
  return { ...document, pods };
}

const at = (number: number) => `2026-08-19T09:15:${second(number)}.000+00:00`;

test.each(['the index', 'the run documents'])(
  'from %s it knows since when Pods are there, when they changed last and which are gone',
  async (source) => {
    await writeAll(
      run(1, ['a', 'b', 'c']),
      changed(run(2, ['a', 'b', 'c']), 'a'),
      // Silence is no change, and neither is the answer after it.
      silent(changed(run(3, ['a', 'b']), 'a'), 'a'),
      changed(run(4, ['a', 'b', 'd']), 'a'),
      changed(run(5, ['a', 'b', 'c']), 'a'),
    );
    if (source === 'the run documents') await rm(join(folder, 'analyses.jsonl'));
    const list = open();
    const { since, courses, left } = await list.courses();
    expect(since).toBe(at(1));
    expect(Object.fromEntries(courses)).toEqual({
      a: { first_seen: at(1), last_change: at(2) },
      b: { first_seen: at(1), last_change: at(1) },
      // It left and came back.
      c: { first_seen: at(1), last_change: at(5) },
      d: { first_seen: at(4), last_change: at(5) },
    });
    expect([...left]).toEqual([['d', at(5)]]);
  },
);

test('what was before the oldest stored analysis is not known', async () => {
  await writeAll(run(1, ['a', 'b']), changed(run(2, ['a', 'b']), 'b'));
  const lines = (await readFile(join(folder, 'analyses.jsonl'), 'utf8')).split('\n');
  const later = lines.filter((line) => !line.includes('T091501Z'));
  await writeFile(join(folder, 'analyses.jsonl'), later.join('\n'));
  await rm(join(folder, 'run-20260819T091501Z.json'));
  const { since, courses } = await open().courses();
  expect(since).toBe(at(2));
  expect(Object.fromEntries(courses)).toEqual({ b: { first_seen: null, last_change: at(2) } });
});
