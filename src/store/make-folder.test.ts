import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { folderForEach } from '../../test/support/temp-folder.js';
import { makeFolder } from './make-folder.js';

const folder = folderForEach();
const before = process.umask(0o022);
process.umask(before);
afterEach(() => {
  process.umask(before);
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test.each([
  [0o000, 0o750],
  [0o022, 0o750],
  [0o077, 0o700],
])('under the umask %o, folders have the mode %o', async (umask, mode) => {
  const path = join(folder(), 'var/state');
  process.umask(umask);
  await makeFolder(path);
  await makeFolder(path);
  expect([await modeOf(join(folder(), 'var')), await modeOf(path)]).toEqual([mode, mode]);
});
