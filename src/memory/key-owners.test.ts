import { expect, test } from 'vitest';
import { keyOwners } from './key-owners.js';
import type { RememberedPod } from './memory.js';

function ownersOf(pods: Record<string, Record<string, 'own' | 'refused'>>) {
  const remembered = Object.entries(pods).map(([root, keys]): [string, RememberedPod] => [
    root,
    { root, spelling: root, shares: new Map(), figures: null, keys: new Map(Object.entries(keys)) },
  ]);
  return keyOwners({ pods: new Map(remembered) });
}

test.each<[string, Record<string, 'own' | 'refused'>, boolean, boolean]>([
  ['that nobody had', {}, false, false],
  ['that opened files of one Pod', { anna: 'own' }, false, true],
  ['that another Pod came second with', { anna: 'own', doctor: 'refused' }, false, true],
  ['that two new Pods had', { anna: 'refused', doctor: 'refused' }, true, true],
  ['whose first Pod was forgotten', { doctor: 'refused' }, true, false],
  [
    'that three Pods had, of which the first was forgotten',
    { doctor: 'refused', eve: 'refused' },
    true,
    true,
  ],
])('a key %s', (_name, claims, isForeignToAnna, isForeignToDoctor) => {
  const pods = Object.entries(claims).map(([root, claim]) => [root, { key: claim }] as const);
  const owners = ownersOf(Object.fromEntries(pods));
  expect(owners.isForeign('key', 'anna')).toBe(isForeignToAnna);
  expect(owners.isForeign('key', 'doctor')).toBe(isForeignToDoctor);
});

test('the owner is named, or whoever contends', () => {
  const owned = ownersOf({ anna: { key: 'own' }, doctor: { key: 'refused' } });
  expect(owned.othersWith('key', 'doctor')).toEqual(['anna']);
  expect(owned.othersWith('key', 'anna')).toEqual([]);
  const contended = ownersOf({ anna: { key: 'refused' }, doctor: { key: 'refused' } });
  expect(contended.othersWith('key', 'doctor')).toEqual(['anna']);
});
