import { expect, test } from 'vitest';
import { type Evidence, findDoubt } from './stored-memory.js';

const url = 'https://pods.example/analyser/app/analyser/memory.txt';
const evidence = (version: number, hasSent = false): Evidence => ({
  note: { state: 'read', version, digest: version === 0 ? '' : 'noted' },
  hasSentFigures: () => Promise.resolve(hasSent),
});
const undigested: Evidence = { ...evidence(3), note: { state: 'read', version: 3, digest: '' } };
const damaged: Evidence = { ...evidence(0), note: { state: 'damaged', path: '/var/memory.json' } };

const stored = (version: number, digest = 'noted') => ({ version, digest });

test.each<[string, Parameters<typeof findDoubt>[1], Evidence, RegExp | null]>([
  ['the version that was noted', stored(3), evidence(3), null],
  [
    'another one with the same number',
    stored(3, 'other'),
    evidence(3),
    /t is another version 3 than/,
  ],
  ['a version that was noted without a digest', stored(3, 'any'), undigested, null],
  ['a newer one, of another machine', stored(4, 'new'), evidence(3, true), null],
  ['an older one', stored(2, 'old'), evidence(3), /t is older \(version 2\) than .* before \(3\)$/],
  ['none, and none was ever seen', 'absent', evidence(0), null],
  ['none beside a note', 'absent', evidence(1), /memory\.txt is gone$/],
  ['none beside a run that sent a figure', 'absent', evidence(0, true), /have been sent out \(/],
  ['one that does not open', 'shut', evidence(0), /does not open/],
  ['a note that is damaged', stored(3), damaged, /^\/var\/memory\.json is damaged$/],
])('[1.2] %s', async (_, found, known, expected) => {
  const doubt = await findDoubt(url, found, known);
  if (expected === null) expect(doubt).toBeNull();
  else expect(doubt).toMatch(expected);
});
