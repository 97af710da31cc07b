import { generateKeyPairSync, sign } from 'node:crypto';
import { createSolidTokenVerifier } from '@solid/access-token-verifier';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnalyserError } from '../src/base/errors.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import { createDpopKey, createDpopProof, type DpopClaims } from '../src/solid/login/dpop-proof.js';
import { logIn } from '../src/solid/login/login.js';
import { WebIdVerifier } from '../src/solid/login/web-id-verifier.js';
import { createTransport } from '../src/solid/requests/transport.js';
import type { WebIdProof } from '../src/solid/solid-client.js';
import { startFaultProxy } from './support/fault-proxy.js';
import { createPod, sharedSolidServer, type TestPod } from './support/solid-server.js';

const server = sharedSolidServer();
const here = 'https://analyser.example/healthpod.analyser.v1.Analyser/Analyse';
const key = createDpopKey();

let alice: TestPod;
let client: ReturnType<typeof createSolidClient>;
let verifier: WebIdVerifier;
/** A token of alice that is bound to `key`. */
let token: string;

beforeAll(async () => {
  alice = await createPod(server);
  client = createSolidClient({ serverUrl: server.baseUrl, credentials: alice });
  verifier = new WebIdVerifier({ issuers: [server.baseUrl], origins: [], atOnce: 8 });
  const transport = createTransport({});
  const context = { serverUrl: server.baseUrl, credentials: alice, key, now: Date.now };
  const login = await logIn({ ...context, send: transport.send }, AbortSignal.timeout(60_000));
  token = login.value;
  await transport.close();
});
afterAll(() => Promise.all([client.close(), verifier.close()]));

const now = () => Math.floor(Date.now() / 1000);

function prove(claims: Partial<DpopClaims> = {}, withKey = key): WebIdProof {
  const usual = { method: 'POST', url: here, issuedAt: now(), accessToken: token };
  return {
    authorization: `DPoP ${token}`,
    dpop: createDpopProof(withKey, { ...usual, ...claims }),
  };
}

/** A token that says what a right one says, by somebody who is not the issuer. */
function forge(claims: object = {}): WebIdProof {
  const [header = '', payload = ''] = token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('utf8'));
  const changed = JSON.stringify({ ...JSON.parse(payload), ...claims });
  const signed = [header, changed].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  const accessToken = `${signed}.${signature.toString('base64url')}`;
  return { ...prove({ accessToken }), authorization: `DPoP ${accessToken}` };
}

test('what a login proves is its WebID, once', async () => {
  const proof = await client.proveWebId(here);
  expect(await verifier.verify(proof, here)).toBe(alice.webId);
  await expect(verifier.verify(proof, here)).rejects.toThrow('it was used before');
  expect(await verifier.verify(prove(), here)).toBe(alice.webId);
});

/** The verifier of the Community Solid Server, in its own words. */
const judgeAsServer = createSolidTokenVerifier();
const isGoodForServer = ({ authorization, dpop }: WebIdProof) =>
  judgeAsServer(authorization, { header: dpop, method: 'POST', url: here }).then(
    ({ webid }) => webid,
    () => null,
  );

test('a Solid server takes the same proof for the same WebID', async () => {
  const proof = prove();
  expect(await isGoodForServer(proof)).toBe(alice.webId);
  expect(await verifier.verify(proof, here)).toBe(alice.webId);
});

/** The others are about this service, or about what it trusts. */
const serverJudges = new Set([
  'by another key',
  'from an hour ago',
  'from tomorrow',
  'for another method',
  'with the hash of another token',
  'with a token signed by somebody else',
]);

describe('a proof is refused', () => {
  test.each<[string, () => WebIdProof, RegExp]>([
    [
      'without a scheme',
      () => ({ ...prove(), authorization: token }),
      /must be "DPoP" and a token/,
    ],
    [
      'with a bearer token',
      () => ({ ...prove(), authorization: `Bearer ${token}` }),
      /must be "DPoP" and a token/,
    ],
    [
      'with two tokens',
      () => ({ ...prove(), authorization: `DPoP ${token}, DPoP ${token}` }),
      /must be "DPoP"/,
    ],
    ['with something else', () => ({ ...prove(), authorization: 'DPoP a.b.c' }), /no.* JSON Web/],
    ['with a proof that is none', () => ({ ...prove(), dpop: 'x' }), /not a JSON Web Token/],
    ['of endless length', () => ({ ...prove(), dpop: 'x'.repeat(20_000) }), /too long/],
    [
      'for another service',
      () => prove({ url: here.replace('analyser', 'evil') }),
      /for a POST to https:\/\/analyser\.example/,
    ],
    ['for another method', () => prove({ method: 'GET' }), /not valid/],
    [
      'without the hash of the token',
      () => ({
        ...prove(),
        dpop: createDpopProof(key, { method: 'POST', url: here, issuedAt: now() }),
      }),
      /lacks the claim ath/,
    ],
    ['with the hash of another token', () => prove({ accessToken: 'another' }), /not valid/],
    ['by another key', () => prove({}, createDpopKey()), /not valid/],
    ['from an hour ago', () => prove({ issuedAt: now() - 3600 }), /expired|not valid/],
    ['from tomorrow', () => prove({ issuedAt: now() + 86_400 }), /not valid/],
    ['with a token signed by somebody else', () => forge(), /not valid/],
    [
      'with a token of another issuer',
      () => forge({ iss: 'https://other.example/' }),
      /does not trust/,
    ],
    ['with a token of no issuer', () => forge({ iss: undefined }), /does not trust/],
    [
      'with an unsigned token',
      () => ({ ...forge(), authorization: `DPoP ${token.replace(/[^.]+$/, 'AA')}` }),
      /not valid/,
    ],
  ])('%s', async (what, make, reason) => {
    // Whatever of this a storage server judges, it judges alike.
    if (serverJudges.has(what)) expect(await isGoodForServer(make())).toBeNull();
    const error: unknown = await verifier.verify(make(), here).catch((cause: unknown) => cause);
    if (!(error instanceof AnalyserError)) throw new Error('expected an AnalyserError');
    expect(error.kind).toBe('call');
    expect(error.message).toMatch(reason);
    expect(error.message).not.toContain(token.slice(-20));
  });

  test('when the profile names another issuer', async () => {
    const bob = await createPod(server);
    await using pod = disposable(
      createSolidClient({ serverUrl: server.baseUrl, credentials: bob }),
    );
    const proof = await pod.client.proveWebId(here);
    const profile = `<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> <https://other.example/>.`;
    const card = bob.webId.replace('#me', '');
    const headers = { 'content-type': 'text/turtle' };
    await pod.client.request(card, { method: 'PUT', headers, body: profile });
    await expect(verifier.verify(proof, here)).rejects.toThrow('names another solid:oidcIssuer');
  });
});

test('nothing is fetched for a token that nobody has signed', async () => {
  const elsewhere = await startFaultProxy(1);
  const curious = new WebIdVerifier({
    issuers: [server.baseUrl],
    origins: [elsewhere.baseUrl],
    atOnce: 8,
  });
  const webid = `${elsewhere.baseUrl}victim/profile/card#me`;
  await expect(curious.verify(forge({ webid }), here)).rejects.toThrow('not valid');
  expect(elsewhere.requests).toEqual([]);
  await Promise.all([curious.close(), elsewhere.close()]);
});

function disposable(client: ReturnType<typeof createSolidClient>) {
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
