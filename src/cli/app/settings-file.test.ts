import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { keepInSettings } from './settings-file.js';

const folder = folderForEach();

test.each([
  ['new', null],
  ['open to everybody before', 'web_id: https://pods.example/anna/profile/card#me\n'],
])('[T39] settings with credentials are for their owner alone: %s', async (_, before) => {
  const path = join(folder(), 'app.yaml');
  if (before !== null) await writeFile(path, before, { mode: 0o666 });
  await keepInSettings(path, { credentials: { client_id: 'anna', client_secret: 's3cret' } });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toContain(before ?? 's3cret');
});
