import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  for (const folder of [results_dir, charts_dir, figures_dir]) {
    await mkdir(folder, { recursive: true });
  }
});
afterEach(() => rm(root, { recursive: true }));

async function fill(): Promise<void> {
  for (const name of [
    'latest.json',
    'run-20260101T000000Z.json',
    'run-20260801T115959Z.json',
    'run-20260801T120000Z.json',
    'run-20260831T115959Z.json',
    'run-notes.json',
  ]) {
    await writeFile(join(results_dir, name), '{}');
  }
  for (const [name, time] of [
    ['a.example-old.png', '2026-08-01T11:59:59Z'],
    ['a.example-new.png', '2026-08-30T00:00:00Z'],
    ['a.example-gone.png', '2026-08-30T00:00:00Z'],
    ['latest.json', '2026-01-01T00:00:00Z'],
    ['notes.txt', '2026-01-01T00:00:00Z'],
  ] as const) {
    await writeFile(join(charts_dir, name), '');
    await utimes(join(charts_dir, name), new Date(time), new Date(time));
    if (!name.endsWith('.png')) continue;
    const figures = join(figures_dir, name.replace('.png', '.json'));
    await writeFile(figures, '');
    await utimes(figures, new Date(time), new Date(time));
  }
}

const sharing = ['a.example-old', 'a.example-new'];

test('what is older than keep_days goes, and the chart of a Pod that shares no more', async () => {
  await fill();
  await removeOld({ results_dir, charts_dir, state_dir, keep_days: 30 }, sharing, now);
  expect((await readdir(results_dir)).sort()).toEqual([
    'latest.json',
    'run-20260801T120000Z.json',
    'run-20260831T115959Z.json',
    'run-notes.json',
  ]);
  expect((await readdir(charts_dir)).sort()).toEqual([
    'a.example-new.png',
    'latest.json',
    'notes.txt',
  ]);
  expect(await readdir(figures_dir)).toEqual(['a.example-new.json']);
});

test('without keep_days every run stays, and the chart of everybody who shares', async () => {
  await fill();
  await removeOld({ results_dir, charts_dir, state_dir, keep_days: null }, sharing, now);
  expect(await readdir(results_dir)).toHaveLength(6);
  expect((await readdir(charts_dir)).sort()).toEqual([
    'a.example-new.png',
    'a.example-old.png',
    'latest.json',
    'notes.txt',
  ]);
  const figures = (await readdir(figures_dir)).sort();
  expect(figures).toEqual(['a.example-new.json', 'a.example-old.json']);
});

test('folders that are not there yet hold nothing to remove', async () => {
  await rm(results_dir, { recursive: true });
  await rm(charts_dir, { recursive: true });
  await rm(state_dir, { recursive: true });
  await removeOld({ results_dir, charts_dir, state_dir, keep_days: 1 }, [], now);
  expect(await readdir(root)).toEqual([]);
});
