import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDpopKey, createDpopProof } from './dpop-proof.js';

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
