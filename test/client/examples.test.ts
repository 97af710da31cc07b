import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test.each([
  ['docs/app-developers.md', new URL('./settings-example.ts', import.meta.url)],
  ['docs/app-developers.md', new URL('./example.ts', import.meta.url)],
])('%s shows the example that is compiled here, %s', async (page, file) => {
  const source = await readFile(file, 'utf8');
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
  const expected = source.replace('../../src/client/client.js', 'bp-analyser-client');
  expect(text).toContain(`\`\`\`ts\n${expected}\`\`\``);
});
