import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { outputBelow, varBelow } from '../../test/support/output-below.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { openResultsStore } from './results-store.js';
import { tidyUp, type VarFolders } from './tidy-up.js';

let results_dir = '';
let charts_dir = '';
const root = folderForEach();
const now = new Date('2026-08-31T12:00:00Z');

beforeEach(() => {
  ({ results_dir, charts_dir } = outputBelow(root()));
});

const runs = ['20260101T000000Z', '20260801T115959Z', '20260801T120000Z', '20260831T115959Z'];

async function writeAt(path: string, content: string, time: string): Promise<void> {
  await writeFile(path, content);
  await utimes(path, new Date(time), new Date(time));
}

async function fill(): Promise<void> {
  for (const folder of [results_dir, charts_dir]) await mkdir(folder, { recursive: true });
  for (const run_id of runs) {
    await writeFile(join(results_dir, `run-${run_id}.json`), JSON.stringify({ run_id }));
  }
  await writeFile(join(results_dir, 'latest.json'), JSON.stringify({ run_id: runs[3] }));
  await writeFile(join(results_dir, 'run-notes.json'), '{}');
  for (const [name, time] of [
    ['a.example-old.png', '2026-08-01T11:59:59Z'],
    // Of a server that the configuration no longer names, and of a Pod with a host of its own.
    ['gone.example-old.png', '2026-08-01T11:59:59Z'],
    ['anna.localhost:3000.png', '2026-08-01T11:59:59Z'],
    ['a.example-new.png', '2026-08-30T00:00:00Z'],
    ['a.example-gone.png', '2026-08-30T00:00:00Z'],
    ['apple-touch-icon.png', '2026-01-01T00:00:00Z'],
    ['a.example-settings.json', '2026-01-01T00:00:00Z'],
  ] as const) {
    await writeAt(join(charts_dir, name), 'x', time);
  }
}

const remove = (keep_days: number | null, at = now, change: Partial<VarFolders> = {}) =>
  tidyUp(varBelow(root(), { charts_dir, keep_days, ...change }), at);
const listed = async (folder: string) => (await readdir(folder)).sort();

test('[8.5] what is older than keep_days goes', async () => {
  await fill();
  await remove(30);
  expect(await listed(results_dir)).toEqual([
    'latest.json',
    'run-20260801T120000Z.json',
    'run-20260831T115959Z.json',
    'run-notes.json',
  ]);
  expect(await listed(charts_dir)).toEqual([
    'a.example-gone.png',
    'a.example-new.png',
    'a.example-settings.json',
    'apple-touch-icon.png',
  ]);
});

test('without keep_days everything stays', async () => {
  await fill();
  const before = [await listed(results_dir), await listed(charts_dir)];
  await remove(null);
  expect([await listed(results_dir), await listed(charts_dir)]).toEqual(before);
});

test('[8.5] the latest document goes with its run, and not before', async () => {
  await fill();
  await remove(30, new Date('2026-09-30T11:59:58Z'));
  expect(await listed(results_dir)).toContain('latest.json');
  await remove(30, new Date('2026-09-30T12:00:00Z'));
  expect(await listed(results_dir)).toEqual(['run-notes.json']);
});

test('a latest document that is none of ours stays', async () => {
  await fill();
  await writeFile(join(results_dir, 'latest.json'), '{"notes": "mine"}');
  await remove(30);
  expect(await listed(results_dir)).toContain('latest.json');
});

test('[8.5] without charts none is kept, and other files stay', async () => {
  await fill();
  await remove(null, now, { render_charts: false });
  expect(await listed(charts_dir)).toEqual(['a.example-settings.json', 'apple-touch-icon.png']);
});

test('folders that are not there yet hold nothing to remove', async () => {
  await remove(1);
  expect(await readdir(root())).toEqual(['state']);
});

test('files of another Analyser are not touched', async () => {
  await fill();
  await remove(null);
  const before = await readdir(root(), { recursive: true });
  const analyser = 'https://pods.example.org/other/profile/card#me';
  const others = varBelow(root(), { analyser, keep_days: 30 });
  await expect(tidyUp(others, now)).rejects.toThrow(`not to ${analyser}`);
  expect(await readdir(root(), { recursive: true })).toEqual(before);
});

/** Writes them in this order; returns the days of what is stored, in the history and as documents. */
async function writeRuns(runIds: readonly string[]) {
  const store = openResultsStore(results_dir);
  for (const run_id of runIds) {
    const generated_at = `${run_id.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6')}.000+00:00`;
    await store.write({ ...sampleResults(run_id, ['a.example-old']), generated_at });
  }
  return async () => ({
    lines: (await store.history.list()).map(({ generated_at }) => generated_at.slice(0, 10)),
    runs: await store.listRuns(),
  });
}

test('[8.5] the lines of removed runs go within a day', async () => {
  const stored = await writeRuns(runs);
  const kept = async () => (await stored()).lines;
  await remove(null);
  expect(await kept()).toEqual(['2026-08-31', '2026-08-01', '2026-08-01', '2026-01-01']);
  await remove(30);
  expect(await kept()).toEqual(['2026-08-31', '2026-08-01']);
  // The line of a run that is a few hours too old may stay for a day.
  await remove(30, new Date(now.getTime() + 3_600_000));
  expect(await kept()).toEqual(['2026-08-31', '2026-08-01']);
  await remove(30, new Date(now.getTime() + 2 * 86_400_000));
  expect(await kept()).toEqual(['2026-08-31']);
});

test('[8.5] a run under a clock that ran ahead goes with what was written after it', async () => {
  const [ahead, next] = ['20310101T000000Z', '20260801T120000Z'];
  const stored = await writeRuns([ahead, next]);
  await remove(30);
  expect(await stored()).toEqual({ lines: ['2026-08-01', '2031-01-01'], runs: [ahead, next] });
  await remove(30, new Date('2026-09-02T00:00:00Z'));
  expect(await stored()).toEqual({ lines: [], runs: [] });
});

test('a machine that starts with an old clock loses nothing, nor does an id that runs a week ahead', async () => {
  const soon = '20260907T000000Z';
  const stored = await writeRuns(['20260801T115959Z', soon]);
  await remove(30, new Date('2020-01-01T00:00:00Z'));
  expect((await stored()).runs).toHaveLength(2);
  const later = await writeRuns(['20260801T115958Z']);
  await remove(30);
  expect((await later()).runs).toEqual([soon]);
});

test('[6.3] what a killed process has half written goes from each folder, and nothing beside it', async () => {
  await fill();
  const folders = varBelow(root());
  const half = '.name.0123456789abcdef.tmp';
  const all = [folders.state_dir, results_dir, charts_dir];
  for (const folder of all) {
    await mkdir(folder, { recursive: true });
    for (const name of [half, 'note.tmp']) await writeFile(join(folder, name), '');
  }
  await tidyUp(folders, now);
  for (const folder of all) {
    const left = await readdir(folder);
    expect(left).not.toContain(half);
    expect(left).toContain('note.tmp');
  }
});
