import { expect, test } from 'vitest';
import { findForeignStorage, namedStorage } from './storage-of-answer.js';

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
  [`</${'a'.repeat(20_000)}/.well-known/solid>; rel="${rel}"`, null],
])('%s', (link, storage) => {
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
] as const)('a server that names %s', (_, link, ownRoot, rootIs, reason) => {
  const found = findForeignStorage(link, url, { root: ownRoot, rootIs });
  if (reason === null) expect(found).toBeNull();
  else expect(found).toMatch(reason);
});
