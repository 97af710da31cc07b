import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/cli/app/settings-file.js';
import { blockOf } from '../support/pages.js';
import { newFolder } from '../support/temp-folder.js';

const folder = await newFolder();

test.each([
  ['docs/app-developers.md', new URL('./settings-example.ts', import.meta.url)],
  ['docs/app-developers.md', new URL('./example.ts', import.meta.url)],
  ['docs/app-developers.md', new URL('./testing-example.test.ts', import.meta.url)],
])('%s shows the example that is compiled here, %s', async (page, file) => {
  const source = await readFile(file, 'utf8');
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
  const expected = source
    .replace('../../src/client/client.js', 'bp-analyser-client')
    .replace('../../src/client/testing.js', 'bp-analyser-client/testing');
  expect(text).toContain(`\`\`\`ts\n${expected}\`\`\``);
});

test('the settings file of docs/own-readings.md has keys that are known', async () => {
  const settings = await blockOf('docs/own-readings.md', 'yaml', '');
  await writeFile(join(folder, 'app.yaml'), settings);
  const found = await readSettings({ cwd: folder, env: {} }, {});
  expect(found.settings).toMatchObject(parse(settings));
});
