import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { areOfAnother } from './examine-machine.js';

test('folders of another account are told from own ones, also where they are still to be made', async () => {
  const own = await mkdtemp(join(tmpdir(), 'bp-own-'));
  const given = await mkdtemp(join(tmpdir(), 'bp-given-'));
  onTestFinished(async () => {
    for (const folder of [own, given]) await rm(folder, { recursive: true });
  });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(given, 10_001, 10_001);
  // Nobody but root can give a folder away; everybody else is no owner of the topmost.
  const other = isRoot ? given : '/';
  const below = (folder: string) => ({
    state_dir: join(folder, 'bp-none/state'),
    results_dir: join(folder, 'bp-none/results'),
    charts_dir: join(folder, 'bp-none/charts'),
    ...{ render_charts: true, keep_days: null, keep_megabytes: null },
  });
  expect(await areOfAnother(below(other))).toBe(true);
  expect(await areOfAnother(below(own))).toBe(false);
  expect(await areOfAnother({ ...below(other), state_dir: own })).toBe(false);
});
