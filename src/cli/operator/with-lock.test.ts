import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outputBelow } from '../../../test/support/output-below.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { configSchema } from '../../config/schema.js';
import { withLock } from './with-lock.js';

const folder = folderForEach();

test('half-written files are removed before the work', async () => {
  const config = configSchema.parse({
    analyser: { web_id: 'https://pods.example.org/analyser/profile/card#me' },
    output: outputBelow(folder()),
  });
  const folders = Object.values(outputBelow(folder()));
  for (const each of folders) {
    await mkdir(each, { recursive: true });
    await writeFile(join(each, '.run-20260819T091500Z.json.0123456789abcdef.tmp'), '{"pods":[');
    await writeFile(join(each, 'kept.json'), '{}');
  }
  let left: string[] = [];
  await withLock(
    config,
    () => undefined,
    async () => {
      left = await readdir(folder(), { recursive: true });
    },
  );
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(left.filter((name) => name.endsWith('kept.json'))).toHaveLength(3);
});
