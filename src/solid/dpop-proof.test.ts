import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDpopKey, createDpopProof, toProofTarget } from './dpop-proof.js';

const decode = (part: string | undefined): unknown =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));

test('a proof is signed by the key it names and bound to method, address, token and nonce', () => {
  const key = createDpopKey();
  const url = 'https://pods.example/a?x=1#y';
  const claims = { method: 'PUT', url, issuedAt: 1_700_000_000, accessToken: 'token', nonce: 'n' };
  const [header, payload, signature] = createDpopProof(key, claims).split('.');

  expect(decode(header)).toEqual({
    typ: 'dpop+jwt',
    alg: 'ES256',
    jwk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
  });
  expect(decode(payload)).toEqual({
    htm: 'PUT',
    htu: 'https://pods.example/a',
    iat: 1_700_000_000,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ath: createHash('sha256').update('token').digest('base64url'),
    nonce: 'n',
  });
  const genuine = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey(key.privateKey), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  );
  expect(genuine).toBe(true);
});

test('the key in the header is the public half of the key that signs', () => {
  const key = createDpopKey();
  const { jwk } = z.object({ jwk: z.record(z.string(), z.string()) }).parse(decode(key.header));
  const named = createPublicKey({ key: jwk, format: 'jwk' });
  const der = { format: 'der', type: 'spki' } as const;
  expect(named.export(der)).toEqual(createPublicKey(key.privateKey).export(der));
});

test('two proofs for the same request differ', () => {
  const key = createDpopKey();
  const claims = { method: 'GET', url: 'https://pods.example/', issuedAt: 1 };
  expect(createDpopProof(key, claims)).not.toBe(createDpopProof(key, claims));
});

test.each([
  ['http://localhost:3000/a/b.ttl', 'http://localhost:3000/a/b.ttl'],
  [
    'http://localhost:3000/localhost:3000-alice/x',
    'http://localhost:3000/localhost%3A3000-alice/x',
  ],
  ['https://h.example/a%3Ab?q=1#f', 'https://h.example/a%3Ab'],
  ['https://h.example/a@b,c=d', 'https://h.example/a%40b%2Cc%3Dd'],
  ['https://h.example/a%2fb%5cc', 'https://h.example/a%2Fb%5Cc'],
  ['https://h.example/a%2520b', 'https://h.example/a%2520b'],
  ['https://h.example/ä b', 'https://h.example/%C3%A4%20b'],
  ['https://h.example/100%', 'https://h.example/100%'],
])('the proof for %s names %s', (url, target) => {
  expect(toProofTarget(url)).toBe(target);
});
