import { expect, test } from 'vitest';
import { resultAddress } from './result.js';

// Beside the Analyser, one folder deep on another server, and elsewhere: with a digest of the root.
test.each([
  ['https://pods.example.org/alice/', 'pods.example.org-alice'],
  ['https://other.example/bob/', 'other.example-bob'],
  [
    'https://pods.example.org/a/carol/',
    expect.stringMatching(/^pods\.example\.org-a-carol-[0-9a-f]{40}$/),
  ],
])('the result of %s lies where the app expects it', (root, podId) => {
  const analyserWebId = 'https://pods.example.org/analyser/profile/card#me';
  const address = resultAddress({ pod: { root, appDir: 'app' } }, { analyserWebId });
  const folder = 'https://pods.example.org/analyser/app/data/analyser/';
  expect(address.startsWith(folder)).toBe(true);
  expect(address.slice(folder.length).split('/')).toEqual([podId, 'bp-average.json.enc.ttl']);
});
