import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyMemory } from '../../test/support/memory-sample.js';
import { emptyMemory, type Memory } from './memory.js';
import { readMemory, writeMemory } from './memory-format.js';

const empty = writeMemory(emptyMemory());

test('[1.8] a memory that was written reads the same, in the same order', () => {
  fc.assert(
    fc.property(anyMemory, (memory) => {
      const text = writeMemory(memory);
      const read = readMemory(text);
      expect(read).toEqual(memory);
      // Maps are equal in any order, but the oldest share and key come first.
      expect(read && writeMemory(read)).toBe(text);
    }),
  );
});

test.each([
  ['no JSON', empty.slice(0, -1)],
  ['of a later form', empty.replace('"schema_version":1', '"schema_version":2')],
  ['without releases', empty.replace(/,"releases":.*(?=\})/, '')],
])('[1.2] a text %s is no memory', (_, text) => {
  expect(text).not.toBe(empty);
  expect(readMemory(text)).toBeNull();
});

test('[1.2] a text with something that this version does not know is no memory', () => {
  expect(readMemory(empty.replace('{', '{"added":{"by":[2]},'))).toBeNull();
});

/** Whoever changes this form makes every stored memory unreadable: figures are withheld everywhere. */
test('[1.8] a memory that was stored is read as it was meant', () => {
  const stored =
    '{"schema_version":1,"withheld":null,"pods":[{"root":"https://pods.example/alice/","shares":[{"url":"/app/data/","key":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="},' +
    '{"url":"/app/data/bp.json.enc.ttl","missing_on":[20000]}],"figures":{"day":20000,"rules":"abc","observation_count":2,"sums":{"systolic":[24000,2],"diastolic":[16000,2],"heart_rate":[0,0]}}}],' +
    '"claims":[[["alice"],["key one","key two"]],[["alice","mallory"],["key three"]]],"releases":[{"released_at":1700000000000,"epsilon":0.1,"figures":{"systolic":120.1,"diastolic":80,"heart_rate":null},"pods":{"systolic":50,"diastolic":50,"heart_rate":1}}],' +
    '"earlier_keys":{"path":"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="}}';
  const root = 'https://pods.example/alice/';
  const [folder, file] = [`${root}app/data/`, `${root}app/data/bp.json.enc.ttl`];
  const none = { sum: 0, count: 0 };
  const memory: Memory = {
    withheld: null,
    pods: new Map([
      [
        root,
        {
          root,
          shares: new Map([[file, { url: file, ownKey: null, missingOn: [20_000] }]]),
          folders: new Map([[folder, Buffer.alloc(32, 1)]]),
          sums: {
            day: 20_000,
            rules: 'abc',
            observation_count: 2,
            measures: {
              systolic: { sum: 24_000, count: 2 },
              diastolic: { sum: 16_000, count: 2 },
              heart_rate: none,
            },
          },
        },
      ],
    ]),
    claims: new Map([
      ['key one', ['alice']],
      ['key two', ['alice']],
      ['key three', ['alice', 'mallory']],
    ]),
    releases: [
      {
        releasedAt: 1_700_000_000_000,
        epsilon: 0.1,
        figures: { systolic: 120.1, diastolic: 80, heart_rate: null },
        pods: { systolic: 50, diastolic: 50, heart_rate: 1 },
      },
    ],
    earlierKeys: new Map([['path', Buffer.alloc(32, 2)]]),
  };
  expect(readMemory(stored)).toEqual(memory);
  expect(writeMemory(memory)).toBe(stored);
});

test('what has its usual value takes no room', () => {
  const root = 'https://pods.example/alice/';
  const file = `${root}bp.json.enc.ttl`;
  const shares = new Map([[file, { url: file, ownKey: null, missingOn: [] }]]);
  const pods = new Map([[root, { root, shares, folders: new Map(), sums: null }]]);
  expect(writeMemory({ ...emptyMemory(), pods })).toBe(
    `{"schema_version":1,"withheld":null,"pods":[{"root":"${root}","shares":[{"url":"/bp.json.enc.ttl"}]}],"claims":[],"releases":[]}`,
  );
});
