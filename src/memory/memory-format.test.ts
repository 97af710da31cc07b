import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyMemory } from '../../test/support/memory-sample.js';
import { emptyMemory } from './memory.js';
import { readMemory, type VersionedMemory, writeMemory } from './memory-format.js';

const empty = writeMemory({ version: 1, memory: emptyMemory() });

test('a memory that was written reads the same, in the same order', () => {
  fc.assert(
    fc.property(anyMemory, fc.nat(), (memory, version) => {
      const written: VersionedMemory = { version, memory };
      const text = writeMemory(written);
      const read = readMemory(text);
      expect(read).toEqual(written);
      // Maps are equal in any order, but the oldest share and key come first.
      expect(read && writeMemory(read)).toBe(text);
    }),
  );
});

test.each([
  ['no JSON', empty.slice(0, -1)],
  ['of a later form', empty.replace('"schema_version":1', '"schema_version":2')],
  [
    'with a field of the releases that a later version has added',
    empty.replace('"releases":{', '"releases":{"added":1,'),
  ],
  ['without releases', empty.replace(/,"releases":.*(?=\})/, '')],
])('a text %s is no memory', (_, text) => {
  expect(text).not.toBe(empty);
  expect(readMemory(text)).toBeNull();
});

test('what a later version has added is no damage, and is kept', () => {
  const text = empty.replace('{', '{"added":{"by":[2]},');
  const read = readMemory(text);
  expect(read?.memory).toEqual({ ...emptyMemory(), later: { added: { by: [2] } } });
  expect(read && JSON.parse(writeMemory(read))).toEqual(JSON.parse(text));
});

test('a figure that rests on a Pod which is not listed makes it none', () => {
  const pods = new Map([['pod', 1]]);
  const step = { value: 1, releasedAt: 0, replacedAt: null, pods };
  const { releases, ...memory } = emptyMemory();
  const text = writeMemory({
    version: 1,
    memory: {
      ...memory,
      releases: { ...releases, steps: { ...releases.steps, systolic: [step] } },
    },
  });
  expect(readMemory(text)).not.toBeNull();
  expect(readMemory(text.replace('"pod"', ''))).toBeNull();
});

test('a share takes its path below the Pod, its key, and nothing that is as usual', () => {
  const url = 'https://pods.example/alice/app/data/bp.json.enc.ttl';
  const root = 'https://pods.example/alice/';
  const key = Buffer.alloc(32, 1);
  const share = { url, key, missingOn: [] };
  const pod = {
    root,
    shares: new Map([[url, share]]),
    figures: null,
    waited: 0,
  };
  const memory = { ...emptyMemory(), pods: new Map([[root, pod]]) };
  const text = writeMemory({ version: 1, memory });
  expect(text).toContain(
    `{"root":"${root}","shares":[{"url":"/app/data/bp.json.enc.ttl","key":"${key.toString('base64')}"}]}`,
  );
});

test('what is unusual about a share is found again', () => {
  const root = 'https://pods.example/alice/';
  const url = `${root}app/data/`;
  const share = { url, key: null, missingOn: [20_000, 20_003], isSetAside: true as const };
  const pod = { root, shares: new Map([[url, share]]), figures: null, waited: 2 };
  const memory = { ...emptyMemory(), pods: new Map([[root, pod]]) };
  expect(readMemory(writeMemory({ version: 1, memory }))).toEqual({ version: 1, memory });
});
