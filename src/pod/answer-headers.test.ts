import { expect, test } from 'vitest';
import {
  allowedModes,
  findForeignStorage,
  findUnproven,
  mayBeWritten,
  namedStorage,
} from './answer-headers.js';

test.each([
  [undefined, null, null],
  ['', [], []],
  ['user="read write"', ['read', 'write'], []],
  ['user="read",public="append read write"', ['read'], ['append', 'read', 'write']],
  ['public="read"', [], ['read']],
  ['user="read", public="Read"', ['read'], ['read']],
  ['notpublic="write" superuser="write"', [], []],
])('[T9][T11] %s', (header, user, everybody) => {
  const listed = (who: 'user' | 'public') => {
    const modes = allowedModes(header, who);
    return modes && [...modes];
  };
  expect(listed('user')).toEqual(user);
  expect(listed('public')).toEqual(everybody);
});

test.each([
  ['public="write"', true, false],
  ['public="append"', true, false],
  ['user="write",public="write"', true, true],
  // Every stranger with a login, for all that can be seen.
  ['user="append read"', false, true],
  ['user="read write",public="read"', false, true],
  ['user="read",public="read"', false, false],
  [undefined, false, false],
])('%s [T9] may be written by everybody: %s, by the Analyser: %s', (header, byAll, byUs) => {
  expect(mayBeWritten(header, 'public')).toBe(byAll);
  expect(mayBeWritten(header, 'user')).toBe(byUs);
});

test.each([
  ['user="read write"', 'unproven', /grant it read access only/],
  ['user="append",public="read"', 'unproven', /grant it read access only/],
  ['user="read",public="read"', 'plaintext', /its owner shares it with everybody/],
  [undefined, 'unproven', /does not say who may write/],
])('[T11] nothing shows whose a plain file is with %s', (header, because, reason) => {
  expect(findUnproven(header)).toMatchObject({ because, reason: expect.stringMatching(reason) });
});

test('a plain file that only some may read and nobody may write is its owner’s', () => {
  expect(findUnproven('user="read"')).toBeNull();
});

const url = 'https://pods.example/alice/app/data/bp.json';
const rel = 'http://www.w3.org/ns/solid/terms#storageDescription';

test.each([
  [undefined, null],
  ['', null],
  [`<https://pods.example/alice/.well-known/solid>; rel="${rel}"`, 'https://pods.example/alice/'],
  [`</alice/.well-known/solid>;rel=${rel}`, 'https://pods.example/alice/'],
  [
    `<x.acl>; rel="acl", <x.meta>; rel="describedby", </.well-known/solid>; rel="${rel}"`,
    'https://pods.example/',
  ],
  [`</alice/.well-known/solid>; title="a, b"; rel="other ${rel}"`, 'https://pods.example/alice/'],
  [`</alice/.well-known/solid>; rel="acl"`, null],
  [`</alice/description>; rel="${rel}"`, null],
  [`<http://[>; rel="${rel}"`, null],
  [`${'<x>; rel="acl", '.repeat(1200)}</alice/.well-known/solid>; rel="${rel}"`, null],
])('[T34] %s', (link, storage) => {
  expect(namedStorage(link, url)).toBe(storage);
});

const named = `</alice/.well-known/solid>; rel="${rel}"`;
const root = 'https://pods.example/alice/';

test.each([
  ['its own storage', named, root, 'doubtful', null],
  ['another storage', named, `${root}p1/`, 'likely', /lies in the storage/],
  ['nothing, at the usual depth', undefined, root, 'likely', null],
  ['nothing, at another depth', undefined, `${root}p1/`, 'doubtful', /pod_depth/],
  ['another storage, on the Analyser’s own server', named, `${root}p1/`, 'certain', null],
] as const)('[T34] a server that names %s', (_, link, ownRoot, rootIs, reason) => {
  const found = findForeignStorage(link, url, { root: ownRoot, rootIs });
  if (reason === null) expect(found).toBeNull();
  else expect(found).toMatch(reason);
});
