import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { noiseTable } from '../scripts/noise-table.js';

test('docs/decisions/cohort-release.md shows the noise that is to be expected', async () => {
  const page = await readFile(
    new URL('../docs/decisions/cohort-release.md', import.meta.url),
    'utf8',
  );
  expect(page).toContain(noiseTable());
});
