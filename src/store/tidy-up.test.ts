import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { varBelow } from '../../test/support/output-below.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { openResultsStore } from './results-store.js';
import { tidyUp } from './tidy-up.js';

const root = folderForEach();

const alice = 'pods.example.org-alice';

test('what an earlier version has left goes: readings in plain, a key, notes, and lines that name Pods', async () => {
  const folders = varBelow(root());
  const { state_dir, results_dir } = folders;
  const store = openResultsStore(results_dir);
  await store.write(sampleResults('20260819T091500Z', [alice]));
  const history = join(results_dir, 'analyses.jsonl');
  const lines = await readFile(history, 'utf8');
  await writeFile(history, lines.replace(/\}\n$/, `,"joined":["${alice}"]}\n`));
  await mkdir(join(state_dir, 'charts'), { recursive: true });
  for (const name of [
    `charts/${alice}.json`,
    `charts/.${alice}.json.0123456789abcdef.tmp`,
    ...['stored.json', 'names.key', 'unlogged-grants.json', 'state.json'],
    ...['analysis-12.lock', 'service-3.lock', 'analysis.lock', 'service.lock'],
  ]) {
    await writeFile(join(state_dir, name), '{}');
  }
  await writeFile(join(results_dir, 'sent-figures.json'), '[]');

  await tidyUp(folders, new Date());
  expect((await readdir(state_dir)).sort()).toEqual([
    'analysis.lock',
    'memory.json',
    'service.lock',
    'state.json',
  ]);
  expect((await readdir(results_dir)).sort()).toEqual([
    'analyses.jsonl',
    'latest.json',
    'run-20260819T091500Z.json',
  ]);
  expect(await readFile(history, 'utf8')).not.toContain(alice);
  expect(await store.history.list()).toMatchObject([{ runs: [{ run_id: '20260819T091500Z' }] }]);
});

test('a folder that is there for everything keeps its runs and pictures', async () => {
  const state_dir = join(root(), 'state');
  const all = join(state_dir, 'charts');
  const folders = { ...varBelow(root()), state_dir, results_dir: all, charts_dir: all };
  await openResultsStore(all).write(sampleResults('20260819T091500Z', [alice]));
  for (const name of [`${alice}.png`, `${alice}.json`]) await writeFile(join(all, name), '{}');
  await tidyUp(folders, new Date());
  expect((await readdir(all)).sort()).toEqual([
    'analyses.jsonl',
    'latest.json',
    `${alice}.png`,
    'run-20260819T091500Z.json',
  ]);
});

test('files of another Analyser are not touched', async () => {
  const folders = varBelow(root(), { keep_days: 1 });
  await tidyUp(folders, new Date());
  await openResultsStore(folders.results_dir).write(sampleResults('20260819T091500Z', [alice]));
  const before = await readdir(root(), { recursive: true });
  const other = { ...folders, analyser: 'https://pods.example.org/other/profile/card#me' };
  await expect(tidyUp(other, new Date('2026-12-01T00:00:00Z'))).rejects.toThrow(folders.analyser);
  expect(await readdir(root(), { recursive: true })).toEqual(before);
});
