import { hash } from 'node:crypto';
import { EmbeddedJWK, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { createDpopKey, createDpopProof, type DpopClaims, demandedNonce } from './dpop-proof.js';

const key = createDpopKey();
const usual: DpopClaims = {
  method: 'POST',
  url: 'https://pods.example/token',
  issuedAt: 1_000_000,
};

/** As a server checks it, which has no other key than the one in the proof. */
async function checked(claims: Partial<DpopClaims> = {}) {
  const currentDate = new Date(usual.issuedAt * 1000);
  const options = { typ: 'dpop+jwt', algorithms: ['ES256'], maxTokenAge: '1m', currentDate };
  const proof = createDpopProof(key, { ...usual, ...claims });
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options);
  return { payload, header: protectedHeader };
}

describe('a proof', () => {
  test('says what it is for, and nothing else', async () => {
    const { payload, header } = await checked();
    const { jti, ...claims } = payload;
    expect(claims).toEqual({ htm: 'POST', htu: usual.url, iat: usual.issuedAt });
    expect((await checked()).payload.jti).not.toBe(jti);
    // The private part of the key, d, stays here.
    expect(Object.keys(header.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
  });

  test('names the token that it goes with, and the nonce that a server wants', async () => {
    const { payload } = await checked({ accessToken: 'a token', nonce: 'once' });
    expect(payload).toMatchObject({ ath: hash('sha256', 'a token', 'base64url'), nonce: 'once' });
  });

  test.each([
    ['as the server spells it', undefined, 'https://pods.example/a%3Ab'],
    ['as it was asked for, where that is wanted', true, 'https://pods.example/a:b'],
  ])('names the address without its query, %s', async (_, asSpelled, htu) => {
    const url = 'https://pods.example/a:b?secret';
    const claims = { url, ...(asSpelled !== undefined && { asSpelled }) };
    expect((await checked(claims)).payload['htu']).toBe(htu);
  });
});

test.each([
  [400, 'once'],
  [401, 'once'],
  [403, undefined],
  [200, undefined],
])('a nonce beside HTTP %s is demanded: %s', (status, nonce) => {
  const answer = { url: usual.url, body: Buffer.alloc(0), headers: { 'dpop-nonce': 'once' } };
  expect(demandedNonce({ ...answer, status })).toBe(nonce);
});
