import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { noiseTable } from '../scripts/noise-table.js';

test('docs/cohort-release.md shows the noise that is to be expected', async () => {
  const page = await readFile(new URL('../docs/cohort-release.md', import.meta.url), 'utf8');
  expect(page).toContain(noiseTable());
});
