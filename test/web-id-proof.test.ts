import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { createSolidTokenVerifier } from '@solid/access-token-verifier';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AnalyserError } from '../src/base/errors.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import { createDpopKey, createDpopProof, type DpopClaims } from '../src/solid/login/dpop-proof.js';
import { logIn } from '../src/solid/login/login.js';
import { WebIdVerifier } from '../src/solid/login/web-id-verifier.js';
import { createTransport } from '../src/solid/requests/transport.js';
import type { WebIdProof } from '../src/solid/solid-client.js';
import { atEnd } from './support/at-end.js';
import { startFaultProxy } from './support/fault-proxy.js';
import { serveUntilEnd } from './support/listen.js';
import { type Answer, OwnIssuer } from './support/own-issuer.js';
import { createPod, sharedSolidServer } from './support/solid-server.js';

const server = sharedSolidServer();
const here = 'https://analyser.example/healthpod.analyser.v1.Analyser/Analyse';
const key = createDpopKey();

/** Trusts these issuers. */
const trusting = (...issuers: string[]) =>
  new WebIdVerifier({ issuers, origins: [], atOnce: 2, now: () => clock() });
let clock = Date.now;

const alice = await createPod(server);
const client = createSolidClient({ serverUrl: server.baseUrl, credentials: alice });
const verifier = trusting(server.baseUrl);
const transport = createTransport({});
const context = { serverUrl: server.baseUrl, credentials: alice, key, now: Date.now };
const login = await logIn({ ...context, send: transport.send }, AbortSignal.timeout(60_000));
/** A token of alice that is bound to `key`. */
const token = login.value;
await transport.close();

atEnd(() => Promise.all([client.close(), verifier.close()]));

const now = () => Math.floor(Date.now() / 1000);

const usual = () => ({ method: 'POST', url: here, issuedAt: now() });

function prove(claims: Partial<DpopClaims> = {}, withKey = key): WebIdProof {
  return {
    authorization: `DPoP ${token}`,
    dpop: createDpopProof(withKey, { ...usual(), accessToken: token, ...claims }),
  };
}

/** A right proof with another header. */
const sent = (header: Partial<WebIdProof>): WebIdProof => ({ ...prove(), ...header });

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

test('[T14] what a login proves is its WebID, once', async () => {
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

describe('[T33] a proof is refused', () => {
  test.each<[string, () => WebIdProof, RegExp]>([
    ['without a scheme', () => sent({ authorization: token }), /must be "DPoP" and a token/],
    ['with a bearer token', () => sent({ authorization: `Bearer ${token}` }), /must be "DPoP"/],
    ['with two tokens', () => sent({ authorization: `DPoP ${token}, DPoP x` }), /must be "DPoP"/],
    ['with something else', () => sent({ authorization: 'DPoP a.b.c' }), /not a JSON Web Token/],
    ['with a proof that is none', () => sent({ dpop: 'x' }), /not a JSON Web Token/],
    ['of endless length', () => sent({ dpop: 'x'.repeat(20_000) }), /too long/],
    [
      'for another service',
      () => prove({ url: here.replace('analyser', 'evil') }),
      /for a POST to https:\/\/analyser\.example/,
    ],
    ['for another method', () => prove({ method: 'GET' }), /not valid/],
    ['without the hash of the token', () => sent({ dpop: createDpopProof(key, usual()) }), /ath/],
    ['with the hash of another token', () => prove({ accessToken: 'another' }), /not valid/],
    ['by another key', () => prove({}, createDpopKey()), /not valid/],
    ['from an hour ago', () => prove({ issuedAt: now() - 3600 }), /expired|not valid/],
    ['from tomorrow', () => prove({ issuedAt: now() + 86_400 }), /not valid/],
    ['with a token signed by somebody else', () => forge(), /not valid/],
    [
      'with a token of another issuer',
      () => forge({ iss: 'https://x.example/' }),
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
});

test('[T33] nothing is fetched for a token that nobody has signed', async () => {
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

let issuer: OwnIssuer;
/** Trusts that issuer. */
let own: WebIdVerifier;
beforeEach(async () => {
  issuer = await OwnIssuer.start();
  own = trusting(issuer.url);
});
afterEach(async () => {
  clock = Date.now;
  await own.close();
  await issuer[Symbol.asyncDispose]();
});

async function verifyOf(name: string, jti?: string): Promise<string> {
  return await own.verify(await issuer.prove(name, here, jti), here);
}

describe('somebody with a login of a trusted issuer', () => {
  test('has no long id of a proof remembered', async () => {
    await expect(verifyOf('mallory', 'x'.repeat(9_000))).rejects.toThrow('not valid');
    await expect(verifyOf('mallory', '')).rejects.toThrow('not valid');
    expect(await verifyOf('mallory', 'x'.repeat(256))).toBe(issuer.webId('mallory'));
  });

  test('[T27] and with a profile or with an issuer that does not answer holds up nobody', async () => {
    await using silent = await OwnIssuer.start();
    await using good = await OwnIssuer.start();
    const all = trusting(issuer.url, silent.url, good.url);
    issuer.answers.set('/mallory/profile/card', () => undefined);
    silent.answers.set('/jwks', () => undefined);
    const flood = [issuer, silent].flatMap((of) =>
      Array.from({ length: 50 }, async () => all.verify(await of.prove('mallory', here), here)),
    );
    const refused = Promise.allSettled(flood);
    await expect.poll(() => issuer.asked).toContain('/mallory/profile/card');
    await expect.poll(() => silent.asked).toContain('/jwks');
    const began = performance.now();
    expect(await all.verify(await good.prove('alice', here), here)).toBe(good.webId('alice'));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await refused).every(({ status }) => status === 'rejected')).toBe(true);
    expect(issuer.asked.filter((path) => path.endsWith('/card'))).toHaveLength(1);
    expect(silent.asked.filter((path) => path === '/jwks')).toHaveLength(1);
    await all.close();
  });

  test('[T14] who fills the memory of proofs is refused, and nobody else', async () => {
    const made = await Promise.all(
      Array.from({ length: 110 }, () => issuer.prove('mallory', here)),
    );
    const outcomes: string[] = [];
    for (const proof of made) {
      const outcome = own.verify(proof, here);
      outcomes.push(await outcome.catch((error: unknown) => String(error)));
    }
    expect(outcomes.slice(0, 100)).toEqual(Array(100).fill(issuer.webId('mallory')));
    expect(outcomes.at(-1)).toMatch(/too many came of this WebID; try again/);
    expect(await verifyOf('alice')).toBe(issuer.webId('alice'));
    expect(await verifyOf('bob', 'the same')).toBe(issuer.webId('bob'));
    expect(await verifyOf('alice', 'the same')).toBe(issuer.webId('alice'));
  });

  test('and with a profile that fails has it asked for once in some seconds', async () => {
    issuer.answers.set('/mallory/profile/card', (_request, response) =>
      response.writeHead(500).end(),
    );
    await expect(verifyOf('mallory')).rejects.toThrow('HTTP 500');
    const first = issuer.asked.length;
    for (let call = 0; call < 20; call++) {
      await expect(verifyOf('mallory')).rejects.toThrow('HTTP 500');
    }
    expect(issuer.asked).toHaveLength(first);
    expect(await verifyOf('alice')).toBe(issuer.webId('alice'));
  });
});

test('[T15] a slash at the end of an issuer’s address makes no other issuer of it', async () => {
  const naming =
    (address: string): Answer =>
    (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/turtle' })
        .end(`<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> <${address}>.`);
  issuer.answers.set('/carol/profile/card', naming(issuer.url.replace(/\/$/, '')));
  expect(await verifyOf('carol')).toBe(issuer.webId('carol'));
  issuer.answers.set('/dan/profile/card', naming(`${issuer.url}other/`));
  await expect(verifyOf('dan')).rejects.toThrow('names another solid:oidcIssuer');
});

const askedInside: string[] = [];
const inside = await serveUntilEnd(
  createServer((request, response) => {
    askedInside.push(request.url ?? '');
    response.end('{"keys":[]}');
  }),
);
const internalUrl = `${inside}/latest/meta-data`;

describe('a hostile issuer', () => {
  afterEach(() => expect(askedInside).toEqual([]));

  const redirect: Answer = (_request, response) =>
    response.writeHead(302, { location: internalUrl }).end();
  const endless: Answer = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('{"keys":['.repeat(10_000))) {}
    };
    response.on('drain', more);
    more();
  };
  const document = '/.well-known/openid-configuration';
  const answering =
    (body: string): Answer =>
    (_request, response) =>
      response.end(body);

  test.each<[string, string, Answer]>([
    [
      'whose keys are at an internal address',
      document,
      answering(JSON.stringify({ jwks_uri: internalUrl })),
    ],
    ['whose keys are a redirect to an internal address', '/jwks', redirect],
    ['whose document is a redirect to an internal address', document, redirect],
    ['with endless keys', '/jwks', endless],
    [
      'with many keys',
      '/jwks',
      answering(JSON.stringify({ keys: Array(10_000).fill({ kty: 'EC' }) })),
    ],
    ['with nonsense', '/jwks', answering('<')],
  ])('[T1] %s is refused and leads nowhere', async (_what, path, answer) => {
    issuer.answers.set(path, answer);
    const error: unknown = await verifyOf('alice').catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'ServerError' });
  });

  test('that changes its keys all the time is asked for them once in half a minute', async () => {
    expect(await verifyOf('alice')).toBe(issuer.webId('alice'));
    for (let change = 0; change < 5; change++) {
      await issuer.changeKey();
      await expect(verifyOf('alice')).rejects.toThrow('not valid');
    }
    expect(issuer.asked.filter((url) => url === '/jwks')).toHaveLength(1);
  });

  test('that renews its key is believed half a minute later', async () => {
    expect(await verifyOf('alice')).toBe(issuer.webId('alice'));
    await issuer.changeKey();
    clock = () => Date.now() + 31_000;
    expect(await verifyOf('alice')).toBe(issuer.webId('alice'));
  });
});

test('[T14] a proof is taken once for as long as it is accepted, also by a service whose clock is behind', async () => {
  const proof = await issuer.prove('alice', here);
  const made = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    // The proof is from two minutes ahead at first, and from four minutes ago at last.
    clock = () => Date.now();
    vi.setSystemTime(made - 118_000);
    expect(await own.verify(proof, here)).toBe(issuer.webId('alice'));
    for (const later of [0, 118_000, 200_000, 235_000]) {
      vi.setSystemTime(made + later);
      await expect(own.verify(proof, here)).rejects.toThrow(/it was used before|it has expired/);
    }
    vi.setSystemTime(made + 200_000);
    const fresh = new WebIdVerifier({
      issuers: [issuer.url],
      origins: [],
      atOnce: 2,
      now: () => clock(),
    });
    expect(await fresh.verify(proof, here)).toBe(issuer.webId('alice'));
    await fresh.close();
  } finally {
    vi.useRealTimers();
  }
});

test('[T25] a token that is older than a day proves nobody, however long it is to last', async () => {
  const verify = async (issued: string) => {
    const proof = await issuer.prove('alice', here, undefined, { issued, expires: '2d' });
    return await own.verify(proof, here);
  };
  expect(await verify('23 hours ago')).toBe(issuer.webId('alice'));
  await expect(verify('25 hours ago')).rejects.toThrow(/has expired|not valid/);
});
