import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectMessages, namesCure, normalise } from './support/messages.js';

const page = readFileSync(new URL('../docs/troubleshooting.md', import.meta.url), 'utf8');

/** What stands in the first column of a table, as code. */
const listed = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => line.split(' | ')[0]?.split('<br>') ?? [])
  .map((cell) => normalise(cell.replace(/^[| `]+|`+$/g, '').replaceAll('\\|', '|')));

const { said, errors } = await collectMessages();

test('docs/troubleshooting.md has every error that does not say itself what to do', () => {
  const known = new Set(listed);
  const missing = [...errors]
    .filter(([message]) => !known.has(message) && !namesCure(message))
    .map(
      ([message, file]) => `say in it what to do, or add to a row: \`${message}\` (src/${file})`,
    );
  expect(missing).toEqual([]);
});

test('docs/troubleshooting.md quotes nothing that nobody says any more, and nothing twice', () => {
  expect(listed.filter((message) => !said.has(message))).toEqual([]);
  expect(listed.filter((message, index) => listed.indexOf(message) !== index)).toEqual([]);
});
