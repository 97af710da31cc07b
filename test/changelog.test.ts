import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { changelogSection } from '../scripts/changelog-section.js';

const sample =
  '# Changelog\n\n## Unreleased\n\n## 1.1.0 – 2026-12-01\n\n### Added\n\n- b\n\n## 1.0.0\n\n- a\n';

test('the notes of a release are its section, and nothing of its neighbours', () => {
  expect(changelogSection(sample, '1.1.0')).toBe('### Added\n\n- b\n');
  expect(changelogSection(sample, '1.0.0')).toBe('- a\n');
  expect(changelogSection(sample, '1.1')).toBeNull();
});

test('the changelog has a section for the version that the package carries', async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile('package.json', 'utf8')));
  expect(changelogSection(await readFile('CHANGELOG.md', 'utf8'), version)).not.toBeNull();
});
