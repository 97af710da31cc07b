import { Metadata, status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { CallerProof } from './caller-proof.js';

const webId = 'https://pods.example/anna/profile/card#me';
const proof = new CallerProof({ verify: () => Promise.resolve(webId) }, 'https://service.example');

const given = (...values: [string, string][]) => {
  const metadata = new Metadata();
  for (const [name, value] of values) metadata.add(name, value);
  return metadata;
};

test.each<[string, Metadata]>([
  ['no token', given(['x-solid-dpop', 'b'])],
  ['no proof', given(['x-solid-authorization', 'a'])],
  [
    'two tokens',
    given(['x-solid-authorization', 'a'], ['x-solid-authorization', 'c'], ['x-solid-dpop', 'b']),
  ],
  [
    'two proofs',
    given(['x-solid-authorization', 'a'], ['x-solid-dpop', 'b'], ['x-solid-dpop', 'c']),
  ],
])('[T33] a call with %s is nobody’s', async (_, metadata) => {
  const judged = proof.require(metadata, webId, '/Analyse');
  await expect(judged).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
});

test('[T33] a call with one of each is theirs who is proved, and keeps neither', async () => {
  const metadata = given(['x-solid-authorization', 'a'], ['x-solid-dpop', 'b']);
  await proof.require(metadata, webId, '/Analyse');
  expect(metadata.getMap()).toEqual({});
});
