import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findCure, readCures } from './read-cures.js';

const page = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8');
const cures = readCures(page);

const file = 'https://pods.example.org/eve/app/data/blood_pressure/bp_1.json.enc.ttl';

test.each([
  [`${file}: could not be decrypted (file skipped)`, 'The owner shares it again.'],
  [`${file}: access was revoked (HTTP 403) (file skipped)`, 'Nothing to do.'],
  [`${file}: could not be decrypted: it has too many keys (file skipped)`, 'Empty the inbox.'],
  [
    `${file}: no key has been shared for this resource (file skipped)`,
    'The owner shares the files one by one.',
  ],
  [
    `${file} and 3 more files of https://pods.example.org/eve/: its server gives no answers (skipped)`,
    'without any answer, a Pod is asked nothing more in that analysis.',
  ],
  [
    'https://pods.example.org/eve/profile/card#me did not receive the key of https://x/y: its inbox is full',
    'The next analysis for this reader delivers the key.',
  ],
  // Not the advice about broken entries, whose sentence is a part of this one.
  [
    'Counted 3 files of https://pods.example.org/eve/ without an entry in the inbox, because the server still lets the Analyser read what was shared. Who takes back a share closes its access as well; anybody can remove entries.',
    'If these shares should not count any more, use forget.',
  ],
])('%s: %s', (warning, advice) => {
  expect(findCure(cures, warning)).toContain(advice);
});

test('a sentence that the table does not have has no cure', () => {
  expect(findCure(cures, 'The moon is full')).toBeNull();
});

test('the advice is plain text that says which page goes on', () => {
  const all = cures.map(({ advice }) => advice).join('\n');
  expect(all).not.toMatch(/[`[\]]/);
  expect(all).toContain('What to do (docs/operators.md)');
  expect(all).toContain('See The storage server (docs/troubleshooting.md)');
});
