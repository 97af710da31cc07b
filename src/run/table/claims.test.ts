import { expect, test } from 'vitest';
import type { Claims } from '../../memory/memory.js';
import { addClaims, boundClaims, moveClaims, othersWith } from './claims.js';

const claimsOf = (...owners: string[]): Claims => new Map([['key', owners]]);

test.each<[string, Claims, string[], string[]]>([
  ['that nobody had', new Map(), [], []],
  ['that opened files of one Pod', claimsOf('anna'), [], ['anna']],
  ['that two new Pods had', claimsOf('anna', 'doctor'), ['doctor'], ['anna']],
])('[T6][T7] a key %s', (_name, claims, othersOfAnna, othersOfDoctor) => {
  expect(othersWith(claims, 'key', 'anna')).toEqual(othersOfAnna);
  expect(othersWith(claims, 'key', 'doctor')).toEqual(othersOfDoctor);
});

test('[T6][T8] a key that somebody had is nobody else’s', () => {
  const before = claimsOf('anna');
  expect(addClaims(before, new Map([['key', ['doctor']]]))).toBe(before);
  const added = addClaims(before, new Map([['another', ['doctor']]]));
  expect(othersWith(added, 'another', 'anna')).toEqual(['doctor']);
});

test.each<[string, Claims, string[]]>([
  ['that one had first', claimsOf('old'), ['new']],
  ['that both had at the same time', claimsOf('old', 'new'), ['new']],
  ['that a third Pod contests as well', claimsOf('old', 'clara'), ['new', 'clara']],
])('[T6][T8] a key %s moves, and is nobody else’s then', (_name, claims, owners) => {
  const moved = moveClaims(claims, 'old', 'new');
  expect(moved).toEqual({ claims: new Map([['key', owners]]), moved: 1 });
  expect(othersWith(moved.claims, 'key', 'old')).toEqual(owners);
});

test('[T8] keys of others stay where they are, and nothing becomes free', () => {
  const claims: Claims = new Map([...claimsOf('clara'), ['another', ['old']]]);
  const moved = moveClaims(claims, 'old', 'new');
  expect(moved.claims).toEqual(new Map([...claimsOf('clara'), ['another', ['new']]]));
  expect(moved.moved).toBe(1);
  expect(moveClaims(claims, 'adam', 'adam').claims).toEqual(claims);
});

test('[1.6][T8] beyond the bound those with most keys lose their newest, and a key of several stays while one has room', () => {
  const keys = ['old', 'newer', 'newest'].map((age): [string, string[]] => [age, ['stranger']]);
  const claims: Claims = new Map([
    ['of both', ['stranger', 'anna']],
    ...keys,
    ['own', ['anna']],
    ['contested', ['stranger', 'anna']],
  ]);
  // They are not copied while there is room.
  expect(boundClaims(claims, 8).claims).toBe(claims);
  expect(boundClaims(claims, 8).crowded).toEqual(new Set());
  const { claims: kept, crowded } = boundClaims(claims, 6);
  expect([...kept.keys()]).toEqual(['of both', 'old', 'newer', 'own', 'contested']);
  expect(kept.get('contested')).toEqual(['stranger', 'anna']);
  expect(crowded).toEqual(new Set(['stranger']));
});

test('[1.6] two who have more than most may keep equally many', () => {
  const keysOf = (pod: string) =>
    Array.from({ length: 5 }, (_, nth): [string, string[]] => [`${pod} ${nth}`, [pod]]);
  const { claims, crowded } = boundClaims(new Map([...keysOf('one'), ...keysOf('other')]), 6);
  expect([...claims.keys()]).toEqual(['one 0', 'one 1', 'one 2', 'other 0', 'other 1', 'other 2']);
  expect(crowded).toEqual(new Set(['one', 'other']));
});
