import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectMessages, normalise } from './support/messages.js';

const page = readFileSync(new URL('../docs/troubleshooting.md', import.meta.url), 'utf8');

/** What stands in the first column of a table, as code. */
const listed = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => line.split(' | ')[0]?.split('<br>') ?? [])
  .map((cell) => normalise(cell.replace(/^[| `]+|`+$/g, '').replaceAll('\\|', '|')));

const messages = collectMessages();

test('docs/troubleshooting.md has every message that the service can say', () => {
  const known = new Set(listed);
  const missing = [...messages]
    .filter(([message]) => !known.has(message))
    .map(([message, file]) => `add to a row: \`${message}\` (src/${file})`);
  expect(missing).toEqual([]);
});

test('docs/troubleshooting.md has no message that nobody says any more, and none twice', () => {
  expect(listed.filter((message) => !messages.has(message))).toEqual([]);
  expect(listed.filter((message, index) => listed.indexOf(message) !== index)).toEqual([]);
});
