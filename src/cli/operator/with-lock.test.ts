import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noLog } from '../../../test/support/no-log.js';
import { outputBelow } from '../../../test/support/output-below.js';
import { configSchema } from '../../config/schema.js';
import { withLock } from './with-lock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-with-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('half-written files are removed before the work', async () => {
  const config = configSchema.parse({
    analyser: { web_id: 'https://pods.example.org/analyser/profile/card#me' },
    output: outputBelow(folder),
  });
  const folders = Object.values(outputBelow(folder));
  for (const each of folders) {
    await mkdir(each, { recursive: true });
    await writeFile(join(each, '.run-20260819T091500Z.json.0123456789abcdef.tmp'), '{"pods":[');
    await writeFile(join(each, 'kept.json'), '{}');
  }
  let left: string[] = [];
  await withLock(config, noLog, async () => {
    left = await readdir(folder, { recursive: true });
  });
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(left.filter((name) => name.endsWith('kept.json'))).toHaveLength(3);
});
