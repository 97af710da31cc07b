import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleChart } from '../../test/support/chart-sample.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { openAnalysisList } from './analysis-list.js';
import { openChartStore } from './chart-store.js';
import { openResultsStore } from './results-store.js';
import { removeOld } from './retention.js';

let results_dir = '';
let charts_dir = '';
let state_dir = '';
let figures_dir = '';
let root = '';
const now = new Date('2026-08-31T12:00:00Z');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'retention-'));
  [results_dir, charts_dir] = [join(root, 'results'), join(root, 'charts')];
  state_dir = join(root, 'state');
  figures_dir = join(state_dir, 'charts');
});
afterEach(() => rm(root, { recursive: true }));

const runs = ['20260101T000000Z', '20260801T115959Z', '20260801T120000Z', '20260831T115959Z'];

async function fill(): Promise<void> {
  for (const folder of [results_dir, charts_dir, figures_dir]) {
    await mkdir(folder, { recursive: true });
  }
  for (const run_id of runs) {
    await writeFile(join(results_dir, `run-${run_id}.json`), JSON.stringify({ run_id }));
  }
  // What is ours neither by its name nor by its kind.
  await writeFile(join(results_dir, 'latest.json'), '{}');
  await writeFile(join(results_dir, 'run-notes.json'), '{}');
  await writeFile(join(results_dir, 'run-20260101T000001Z.json'), '{"notes": "mine"}');
  for (const [name, time] of [
    ['a.example-old', '2026-08-01T11:59:59Z'],
    ['a.example-new', '2026-08-30T00:00:00Z'],
    ['a.example-gone', '2026-08-30T00:00:00Z'],
  ] as const) {
    await openChartStore({ charts_dir, state_dir }).write(name, Buffer.from('x'), sampleChart(1));
    await utimes(join(figures_dir, `${name}.json`), new Date(time), new Date(time));
  }
  const old = new Date('2026-01-01T00:00:00Z');
  for (const path of [join(charts_dir, 'logo.png'), join(figures_dir, 'settings.json')]) {
    await writeFile(path, '{}');
    await utimes(path, old, old);
  }
}

const remove = (keep_days: number | null) =>
  removeOld(
    { results_dir, keep_days },
    openChartStore({ charts_dir, state_dir }),
    ['a.example-old', 'a.example-new'],
    now,
  );
const listed = async (folder: string) => (await readdir(folder)).sort();

test('what is older than keep_days goes, and the chart of a Pod that has left', async () => {
  await fill();
  await remove(30);
  expect(await listed(results_dir)).toEqual([
    'latest.json',
    'run-20260101T000001Z.json',
    'run-20260801T120000Z.json',
    'run-20260831T115959Z.json',
    'run-notes.json',
  ]);
  expect(await listed(charts_dir)).toEqual(['a.example-new.png', 'logo.png']);
  expect(await listed(figures_dir)).toEqual(['a.example-new.json', 'settings.json']);
});

test('without keep_days every run stays, and every chart but that of a Pod that has left', async () => {
  await fill();
  await remove(null);
  expect(await listed(results_dir)).toHaveLength(7);
  expect(await listed(charts_dir)).toEqual(['a.example-new.png', 'a.example-old.png', 'logo.png']);
});

test('folders that lie in one another lose nothing that is not meant', async () => {
  [results_dir, charts_dir] = [figures_dir, figures_dir];
  await fill();
  await remove(30);
  expect(await listed(figures_dir)).toEqual([
    'a.example-new.json',
    'a.example-new.png',
    'latest.json',
    'logo.png',
    'run-20260101T000001Z.json',
    'run-20260801T120000Z.json',
    'run-20260831T115959Z.json',
    'run-notes.json',
    'settings.json',
  ]);
});

test('folders that are not there yet hold nothing to remove', async () => {
  await remove(1);
  expect(await readdir(root)).toEqual([]);
});

test('the lines of removed runs go within a day, and summarise nothing any more', async () => {
  const store = openResultsStore(results_dir);
  for (const run_id of runs) {
    const generated_at = `${run_id.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6')}.000+00:00`;
    await store.write({ ...sampleResults(run_id, ['a.example-old']), generated_at });
  }
  const list = openAnalysisList(results_dir, store);
  const kept = async () => (await list.list()).map(({ generated_at }) => generated_at.slice(0, 10));
  await remove(null);
  expect(await kept()).toEqual(['2026-08-31', '2026-08-01', '2026-08-01', '2026-01-01']);
  await remove(30);
  expect(await kept()).toEqual(['2026-08-31', '2026-08-01']);
  // The line of a run that is a few hours too old may stay for a day.
  await rm(join(results_dir, `run-${runs[2]}.json`));
  await removeOld(
    { results_dir, keep_days: 30 },
    openChartStore({ charts_dir, state_dir }),
    [],
    new Date(now.getTime() + 3_600_000),
  );
  expect(await kept()).toEqual(['2026-08-31', '2026-08-01']);
  await removeOld(
    { results_dir, keep_days: 30 },
    openChartStore({ charts_dir, state_dir }),
    [],
    new Date(now.getTime() + 2 * 86_400_000),
  );
  expect(await kept()).toEqual(['2026-08-31']);
});
