import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { isRunId, nextRunIds, openResultsStore } from './results-store.js';

const older = '20260819T091500Z';
const newer = '20260819T091501Z';

const root = folderForEach();
const folder = () => join(root(), 'var', 'results');

const sample = (runId: string) => sampleResults(runId, ['pods.example.org-alice']);

test('[6.4] a run is found again by its id and as the latest, and nothing else is left in the folder', async () => {
  const store = openResultsStore(folder());
  expect(await store.write(sample(older))).toBe(join(folder(), `run-${older}.json`));
  expect(await store.readRun(older)).toMatchObject({ state: 'found', document: sample(older) });
  expect(await store.readLatest()).toMatchObject({ state: 'found', document: sample(older) });
  expect((await readdir(folder())).sort()).toEqual([
    'analyses.jsonl',
    'latest.json',
    `run-${older}.json`,
  ]);
});

test('runs are listed newest first, and other files are not runs', async () => {
  const store = openResultsStore(folder());
  await store.write(sample(older));
  await store.write(sample(newer));
  for (const name of ['run-.json', 'run-20261399T000000Z.json', `run-${older}.json.bak`, 'x']) {
    await writeFile(join(folder(), name), '{}');
  }
  expect(await store.listRuns()).toEqual([newer, older]);
});

test('[6.4] the latest document is that of the analysis that was written last, also after a clock ran ahead', async () => {
  const store = openResultsStore(folder());
  const ofTheFuture = {
    ...sample('20310819T091500Z'),
    generated_at: '2031-08-19T09:15:00.000+00:00',
  };
  await store.write(ofTheFuture);
  await store.write(sample(older));
  expect(await store.readLatest()).toMatchObject({ document: { run_id: older } });
});

test('[6.4] of the callers of one analysis the latest document is that of the last run id', async () => {
  const store = openResultsStore(folder());
  await store.write(sample(newer));
  await store.write(sample(older));
  expect(await store.readLatest()).toMatchObject({ document: { run_id: newer } });
  expect(await store.listRuns()).toEqual([newer, older]);
});

test('[6.4] of sixty runs that are written at once the latest document is the last, and each has its line', async () => {
  const store = openResultsStore(folder());
  const ids = Array.from(
    { length: 60 },
    (_, second) => `20260819T0915${String(second).padStart(2, '0')}Z`,
  );
  const shuffled = ids.toSorted((one, other) => Number(one.at(-2)) - Number(other.at(-2)));
  await Promise.all(shuffled.map((runId) => store.write(sample(runId))));
  expect(await store.readLatest()).toMatchObject({ document: { run_id: ids.at(-1) } });
  expect((await store.history.runIds()).toSorted()).toEqual(ids);
});

test('[8.3][6.4] a stored run is written anew where it stands, and makes no other the latest', async () => {
  const store = openResultsStore(folder());
  await store.write(sample(older));
  await store.write({ ...sample(newer), generated_at: '2026-08-19T09:15:01.000+00:00' });
  const rewritten = await store.rewrite((document) =>
    document.run_id === older ? { ...document, warnings: [] } : null,
  );
  expect(rewritten).toEqual({ changed: [older], unread: [] });
  expect(await store.readRun(older)).toMatchObject({ document: { warnings: [] } });
  expect(await store.readLatest()).toMatchObject({ document: { run_id: newer } });

  // The run may be gone, and what is said of it must not stay in latest.json.
  await rm(join(folder(), `run-${newer}.json`));
  await store.rewrite((document) => ({ ...document, warnings: ['rewritten'] }));
  expect(await store.readLatest()).toMatchObject({ document: { warnings: ['rewritten'] } });
  // So it is where no run is changed any more: an earlier erasure may have ended between the two.
  await rm(join(folder(), `run-${older}.json`));
  const alone = await store.rewrite((document) => ({ ...document, warnings: ['alone'] }));
  expect(alone).toEqual({ changed: [], unread: [] });
  expect(await store.readLatest()).toMatchObject({ document: { warnings: ['alone'] } });
});

test('stored documents that cannot be read stay as they are, and are named', async () => {
  const store = openResultsStore(folder());
  await store.write(sample(older));
  const unread = [
    ['run-20260819T091502Z.json', JSON.stringify({ ...sample(newer), schema_version: 2 })],
    [`run-${newer}.json`, JSON.stringify(sample(newer)).slice(0, -1)],
    ['latest.json', '{"schema_version": 2}'],
  ] as const;
  for (const [name, text] of unread) await writeFile(join(folder(), name), text);
  expect(await store.rewrite((document) => ({ ...document, warnings: [] }))).toEqual({
    changed: [older],
    unread: unread.map(([name]) => join(folder(), name)),
  });
  for (const [name, text] of unread)
    expect(await readFile(join(folder(), name), 'utf8')).toBe(text);
});

test('a file that holds another run cannot be read as this one', async () => {
  await mkdir(folder(), { recursive: true });
  await writeFile(join(folder(), `run-${older}.json`), JSON.stringify(sample(newer)));
  expect(await openResultsStore(folder()).readRun(older)).toMatchObject({ state: 'unreadable' });
});

test('[T23] a link in the place of a run is none, even if it leads to it', async () => {
  const store = openResultsStore(folder());
  await store.write(sample(older));
  for (const name of [`run-${older}.json`, 'latest.json']) {
    await rename(join(folder(), name), join(root(), name));
    await symlink(join(root(), name), join(folder(), name));
  }
  expect(await store.readRun(older)).toEqual({ state: 'absent' });
  expect(await store.readLatest()).toEqual({ state: 'absent' });
});

test('[0.7] run ids of several callers are several, one after the other, past what is taken', () => {
  const now = new Date('2026-08-19T09:15:59.900Z');
  expect(nextRunIds(['20260819T091600Z'], { count: 3, now })).toEqual([
    '20260819T091559Z',
    '20260819T091601Z',
    '20260819T091602Z',
  ]);
});

describe('isRunId', () => {
  test.each(['20260819T091559Z', '20240229T000000Z'])('accepts %s', (id) => {
    expect(isRunId(id)).toBe(true);
  });
  test.each([
    '',
    '20260819T091559',
    '20260819T246000Z',
    '20260231T000000Z',
    '2026-08-19T09:15:59Z',
    '../20260819T091559Z',
    '20260819T091559Z\n',
    '２0260819T091559Z',
  ])('[T22] rejects %j', (id) => {
    expect(isRunId(id)).toBe(false);
  });
});
