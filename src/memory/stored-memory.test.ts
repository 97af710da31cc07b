import { expect, test } from 'vitest';
import { findDoubt, type MemoryNote } from './stored-memory.js';

const url = 'https://pods.example/analyser/app/analyser/memory.txt';
const noted = (version: number): MemoryNote => ({
  state: 'read',
  version,
  digest: version === 0 ? '' : 'noted',
});

test.each<[string, Parameters<typeof findDoubt>[1], MemoryNote, RegExp | null]>([
  ['the version that was noted', { version: 3, digest: 'noted' }, noted(3), null],
  [
    'another one with the same number',
    { version: 3, digest: 'other' },
    noted(3),
    /memory\.txt is another version 3 than the one seen before$/,
  ],
  ['a newer one, of another machine', { version: 4, digest: 'new' }, noted(3), null],
  [
    'an older one',
    { version: 2, digest: 'old' },
    noted(3),
    /memory\.txt is older \(version 2\) than .* before \(3\)$/,
  ],
  ['none, and none was ever seen', 'absent', noted(0), null],
  ['none beside a note', 'absent', noted(1), /memory\.txt is gone$/],
  ['one that does not open', 'shut', noted(0), /does not open/],
  [
    'a note that is damaged',
    { version: 3, digest: 'noted' },
    { state: 'damaged', path: '/var/memory.json' },
    /^\/var\/memory\.json is damaged$/,
  ],
])('%s', (_, found, note, expected) => {
  const doubt = findDoubt(url, found, note);
  if (expected === null) expect(doubt).toBeNull();
  else expect(doubt).toMatch(expected);
});
