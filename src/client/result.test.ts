import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { resultAddress } from './result.js';

const analyserWebId = 'https://pods.example.org/analyser/profile/card#me';

function addressFor(root: string): string {
  return resultAddress({ pod: { root, appDir: 'app' } }, { analyserWebId });
}

const addressWith = (podId: string) =>
  `https://pods.example.org/analyser/app/data/analyser/${podId}/bp-average.json.enc.ttl`;

test('the result of a Pod beside the Analyser lies where the app expects it', () => {
  expect(addressFor('https://pods.example.org/alice/')).toBe(addressWith('pods.example.org-alice'));
});

test('the result of a Pod one folder deep on another server lies there too', () => {
  expect(addressFor('https://other.example/bob/')).toBe(addressWith('other.example-bob'));
});

test.each([
  ['https://pods.example.org/a/carol/', 'pods.example.org-a-carol'],
  ['https://other.example/x/dan/', 'other.example-x-dan'],
])('the result of %s has the digest of the root in its address', (root, formula) => {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 40);
  expect(addressFor(root)).toBe(addressWith(`${formula}-${digest}`));
});
