import { expect, test } from 'vitest';
import { keyOwners, moveKeys } from './key-owners.js';
import { type Claim, emptyMemory } from './memory.js';

/** What opens a file of the Pod that it moves to. */
const opening = new Set(['key', 'both', 'ours']);

const claimsOf = (claims: Record<string, Claim>) =>
  new Map(Object.entries(claims).map(([pod, claim]) => [pod, new Map([['key', claim]])]));

test.each<[string, Record<string, Claim>, boolean, boolean]>([
  ['that nobody had', {}, false, false],
  ['that opened files of one Pod', { anna: 'own' }, false, true],
  ['that another Pod came second with', { anna: 'own', doctor: 'refused' }, false, true],
  ['that two new Pods had', { anna: 'refused', doctor: 'refused' }, true, true],
])('a key %s', (_name, claims, isForeignToAnna, isForeignToDoctor) => {
  const owners = keyOwners({ claims: claimsOf(claims) });
  expect(owners.isForeign('key', 'anna')).toBe(isForeignToAnna);
  expect(owners.isForeign('key', 'doctor')).toBe(isForeignToDoctor);
});

test('the owner is named, or whoever contends', () => {
  const owned = keyOwners({ claims: claimsOf({ anna: 'own', doctor: 'refused' }) });
  expect(owned.othersWith('key', 'doctor')).toEqual(['anna']);
  expect(owned.othersWith('key', 'anna')).toEqual([]);
  const contended = keyOwners({ claims: claimsOf({ anna: 'refused', doctor: 'refused' }) });
  expect(contended.othersWith('key', 'doctor')).toEqual(['anna']);
});

test.each<[string, Record<string, Claim>]>([
  ['that one had first', { old: 'own', new: 'refused' }],
  ['that both had at the same time', { old: 'refused', new: 'refused' }],
])('a key %s moves, and is nobody else’s then', (_name, claims) => {
  const { memory, moved } = moveKeys(
    { ...emptyMemory(), claims: claimsOf(claims) },
    'old',
    'new',
    opening,
  );
  const owners = keyOwners(memory);
  expect(moved).toBe(1);
  expect(memory.claims).toEqual(claimsOf({ new: 'own' }));
  expect(owners.isForeign('key', 'new')).toBe(false);
  expect(owners.isForeign('key', 'old')).toBe(true);
});

test('keys that only one of the two Pods has used stay where they are', () => {
  const claims = new Map([
    [
      'old',
      new Map<string, Claim>([
        ['both', 'own'],
        ['theirs', 'own'],
      ]),
    ],
    [
      'new',
      new Map<string, Claim>([
        ['both', 'refused'],
        ['ours', 'refused'],
      ]),
    ],
  ]);
  const { memory, moved } = moveKeys({ ...emptyMemory(), claims }, 'old', 'new', opening);
  expect(moved).toBe(1);
  expect(memory.claims).toEqual(
    new Map([
      ['old', new Map([['theirs', 'own']])],
      [
        'new',
        new Map([
          ['both', 'own'],
          ['ours', 'refused'],
        ]),
      ],
    ]),
  );
});

test.each<[string, Claim]>([
  ['owns', 'own'],
  ['claims', 'refused'],
])('a key that a third Pod %s does not become that of the Pod that it moves to', (_name, claim) => {
  const claims = claimsOf({ clara: claim, old: 'refused', new: 'refused' });
  const { memory, moved } = moveKeys({ ...emptyMemory(), claims }, 'old', 'new', opening);
  expect(moved).toBe(0);
  expect(memory.claims).toEqual(claimsOf({ clara: claim, new: 'refused' }));
  expect(keyOwners(memory).isForeign('key', 'new')).toBe(true);
});

test('a Pod gets no copied key as its own by moving its keys to itself', () => {
  const claims = claimsOf({ clara: 'own', adam: 'refused' });
  const { memory } = moveKeys({ ...emptyMemory(), claims }, 'adam', 'adam', opening);
  expect(keyOwners(memory).isForeign('key', 'adam')).toBe(true);
  expect(keyOwners(memory).isForeign('key', 'clara')).toBe(false);
});

test('a key that only the other Pod has used stays there', () => {
  const memory = { ...emptyMemory(), claims: claimsOf({ old: 'own' }) };
  expect(moveKeys(memory, 'old', 'new', new Set())).toEqual({ memory, taken: 0, moved: 0 });
});

test('a key that opens nothing of the new Pod stays with the old one, whoever gave it to the new one', () => {
  const memory = { ...emptyMemory(), claims: claimsOf({ old: 'own', new: 'refused' }) };
  expect(moveKeys(memory, 'old', 'new', new Set())).toEqual({ memory, taken: 0, moved: 0 });
});
