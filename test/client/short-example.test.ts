import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('the example of the README is the one that is compiled here', async () => {
  const source = await readFile(new URL('./short-example.ts', import.meta.url), 'utf8');
  const page = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const expected = source.replace('../../src/client/client.js', 'bp-analyser-client');
  expect(page).toContain(`\`\`\`ts\n${expected}\`\`\``);
});
