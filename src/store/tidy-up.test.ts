import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { varBelow } from '../../test/support/output-below.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import { openResultsStore } from './results-store.js';
import { tidyUp } from './tidy-up.js';

const root = folderForEach();

const alice = 'pods.example.org-alice';

test('files of another Analyser are not touched', async () => {
  const folders = varBelow(root(), { keep_days: 1 });
  await tidyUp(folders, new Date());
  await openResultsStore(folders.results_dir).write(sampleResults('20260819T091500Z', [alice]));
  const before = await readdir(root(), { recursive: true });
  const other = { ...folders, analyser: 'https://pods.example.org/other/profile/card#me' };
  await expect(tidyUp(other, new Date('2026-12-01T00:00:00Z'))).rejects.toThrow(folders.analyser);
  expect(await readdir(root(), { recursive: true })).toEqual(before);
});
