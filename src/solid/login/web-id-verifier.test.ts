import { afterAll, expect, test } from 'vitest';
import { OwnIssuer } from '../../../test/support/own-issuer.js';
import { WebIdVerifier } from './web-id-verifier.js';

const here = 'https://analyser.example/healthpod.analyser.v1.Analyser/Analyse';
const issuer = await OwnIssuer.start();
const origins = ['http://pods.example', 'http://localhost.evil.example'];
const verifier = new WebIdVerifier({ issuers: [issuer.url], origins, atOnce: 2 });

afterAll(async () => {
  await verifier.close();
  await issuer[Symbol.asyncDispose]();
});

const verify = async (webId: string) => {
  const proof = await issuer.prove('alice', here, undefined, { webId });
  return await verifier.verify(proof, here);
};

/** Whoever can change what passes on the way could write the profile. */
test.each([
  ['in the clear', 'http://pods.example/alice/profile/card#me'],
  ['in the clear, of a host that begins like this machine', 'http://localhost.evil.example/a#me'],
  ['in the clear, of a host that ends like this machine', 'http://evillocalhost/a/profile/card#me'],
  ['of no web address', 'ftp://localhost/alice/profile/card#me'],
  ['of no address', 'alice'],
])('[T33] a profile %s proves nobody', async (_, webId) => {
  await expect(verify(webId)).rejects.toThrow('the token or the proof is not valid');
});

test('a profile over TLS is looked at, where its origin is listed', async () => {
  const webId = 'https://elsewhere.example/alice/profile/card#me';
  await expect(verify(webId)).rejects.toThrow('the profile of the WebID cannot be read');
});

test('any number of blanks may stand before the token', async () => {
  const { authorization, dpop } = await issuer.prove('bob', here);
  const spaced = { authorization: authorization.replace(' ', '   '), dpop };
  expect(await verifier.verify(spaced, here)).toBe(issuer.webId('bob'));
});

/** One more could not be remembered, and would be taken twice. */
test('[T14] of one WebID a hundred proofs are taken once each in their time, and no more', async () => {
  const fresh = new WebIdVerifier({ issuers: [issuer.url], origins, atOnce: 2 });
  const prove = async () => await issuer.prove('cleo', here);
  const first = await prove();
  const rest = await Promise.all(Array.from({ length: 99 }, prove));
  for (const proof of [first, ...rest]) {
    expect(await fresh.verify(proof, here)).toBe(issuer.webId('cleo'));
  }
  await expect(fresh.verify(first, here)).rejects.toThrow('it was used before');
  await expect(fresh.verify(await prove(), here)).rejects.toThrow('too many came of this WebID');
  await fresh.close();
});

test('[T33] a token that was made for another purpose proves nobody', async () => {
  const proof = await issuer.prove('dora', here, undefined, { audience: 'mail' });
  await expect(verifier.verify(proof, here)).rejects.toThrow('the token or the proof is not valid');
});

test('[T33] what was signed for another purpose is no proof', async () => {
  const proof = await issuer.prove('emil', here, undefined, { typ: 'at+jwt' });
  await expect(verifier.verify(proof, here)).rejects.toThrow('the token or the proof is not valid');
});
