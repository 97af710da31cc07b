import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebIdVerifier } from '../../src/solid/login/web-id-verifier.js';
import { completed } from '../grpc/scripted-engine.js';
import { type Service, serve } from '../grpc/serve.js';
import { OwnIssuer } from './own-issuer.js';

const publicUrl = 'https://analyser.example:8443';
const path = (call: string) => `${publicUrl}/healthpod.analyser.v1.Analyser/${call}`;

let issuer: OwnIssuer;
let verifier: WebIdVerifier;
beforeEach(async () => {
  issuer = await OwnIssuer.start();
  verifier = new WebIdVerifier({ issuers: [issuer.url], origins: [], atOnce: 2 });
});
afterEach(async () => {
  await verifier.close();
  await issuer[Symbol.asyncDispose]();
});

async function verify(name: string, jti?: string): Promise<string> {
  return await verifier.verify(await issuer.prove(name, path('Analyse'), jti), path('Analyse'));
}

describe('somebody with a login of a trusted issuer', () => {
  test('has no long id of a proof remembered', async () => {
    await expect(verify('mallory', 'x'.repeat(9_000))).rejects.toThrow('not valid');
    await expect(verify('mallory', '')).rejects.toThrow('not valid');
    expect(await verify('mallory', 'x'.repeat(256))).toBe(issuer.webId('mallory'));
  });

  test('who fills the memory of proofs is refused, and nobody else', async () => {
    const made = await Promise.all(
      Array.from({ length: 1_010 }, () => issuer.prove('mallory', path('Analyse'))),
    );
    const outcomes: string[] = [];
    for (const proof of made) {
      const outcome = verifier.verify(proof, path('Analyse'));
      outcomes.push(await outcome.catch((error: unknown) => String(error)));
    }
    expect(outcomes.slice(0, 1_000)).toEqual(Array(1_000).fill(issuer.webId('mallory')));
    expect(outcomes.at(-1)).toMatch(/too many came of this WebID; try again/);
    expect(await verify('alice')).toBe(issuer.webId('alice'));
    expect(await verify('bob', 'the same')).toBe(issuer.webId('bob'));
    expect(await verify('alice', 'the same')).toBe(issuer.webId('alice'));
  });

  test('and with a profile that does not answer holds up nobody, not even a Cancel', async () => {
    expect(await verify('bob')).toBe(issuer.webId('bob'));
    issuer.answers.set('/mallory/profile/card', () => undefined);
    await using service = await serveProving(verifier);
    const client = service.client();
    const flood = Array.from({ length: 100 }, async () =>
      client.analyse(issuer.webId('mallory'), {}, {}, await metadata('mallory', 'Analyse')),
    );
    const refused = await Promise.race(flood);
    expect(refused['message']).toMatch(/Try again later/);
    const asked = client.analyse(issuer.webId('alice'), {}, {}, await metadata('alice', 'Analyse'));
    await service.engine.begun(1);
    const cancelled = performance.now();
    const cancel = await client.cancel(issuer.webId('alice'), await metadata('alice', 'Cancel'));
    expect(performance.now() - cancelled).toBeLessThan(5_000);
    expect(cancel).toMatchObject({ status: 'CANCEL_STATUS_STOPPED' });
    expect(await asked).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
    const waited = issuer.asked.filter((url) => url === '/mallory/profile/card');
    expect(waited).toHaveLength(1);
    issuer.answers.clear();
    for (const reply of await Promise.all(flood)) {
      expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED' });
    }
  });

  test('and with a profile that fails has it asked for once in some seconds', async () => {
    issuer.answers.set('/mallory/profile/card', (_request, response) =>
      response.writeHead(500).end(),
    );
    await expect(verify('mallory')).rejects.toThrow('HTTP 500');
    const first = issuer.asked.length;
    for (let call = 0; call < 20; call++) {
      await expect(verify('mallory')).rejects.toThrow('HTTP 500');
    }
    expect(issuer.asked).toHaveLength(first);
    expect(await verify('alice')).toBe(issuer.webId('alice'));
  });
});

test('a slash at the end of an issuer’s address makes no other issuer of it', async () => {
  const term = 'http://www.w3.org/ns/solid/terms#oidcIssuer';
  issuer.answers.set('/carol/profile/card', (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/turtle' })
      .end(`<#me> <${term}> <${issuer.url.replace(/\/$/, '')}>.`),
  );
  expect(await verify('carol')).toBe(issuer.webId('carol'));
  issuer.answers.set('/dan/profile/card', (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/turtle' })
      .end(`<#me> <${term}> <${issuer.url}other/>.`),
  );
  await expect(verify('dan')).rejects.toThrow('names another solid:oidcIssuer');
  issuer.answers.clear();
});

describe('a hostile issuer', () => {
  const elsewhere: string[] = [];
  const internal = createServer((request, response) => {
    elsewhere.push(request.url ?? '');
    response.end('{"keys":[]}');
  });
  let internalUrl: string;
  beforeAll(async () => {
    internal.listen(0, '127.0.0.1');
    await once(internal, 'listening');
    const address = internal.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    internalUrl = `http://127.0.0.1:${address.port}/latest/meta-data`;
  });
  afterAll(() => internal.close());
  afterEach(() => expect(elsewhere).toEqual([]));

  test.each<[string, () => void]>([
    [
      'whose keys are at an internal address',
      () =>
        issuer.answers.set('/.well-known/openid-configuration', (_request, response) =>
          response.end(JSON.stringify({ jwks_uri: internalUrl })),
        ),
    ],
    [
      'whose keys are a redirect to an internal address',
      () =>
        issuer.answers.set('/jwks', (_request, response) =>
          response.writeHead(302, { location: internalUrl }).end(),
        ),
    ],
    [
      'whose document is a redirect to an internal address',
      () =>
        issuer.answers.set('/.well-known/openid-configuration', (_request, response) =>
          response.writeHead(302, { location: internalUrl }).end(),
        ),
    ],
    [
      'with endless keys',
      () =>
        issuer.answers.set('/jwks', (_request, response) => {
          const more = () => {
            while (!response.destroyed && response.write('{"keys":['.repeat(10_000))) {}
          };
          response.on('drain', more);
          more();
        }),
    ],
    [
      'with a million keys',
      () =>
        issuer.answers.set('/jwks', (_request, response) =>
          response.end(JSON.stringify({ keys: Array(10_000).fill({ kty: 'EC' }) })),
        ),
    ],
    ['with nonsense', () => issuer.answers.set('/jwks', (_request, response) => response.end('<'))],
  ])('%s is refused and leads nowhere', async (_what, prepare) => {
    prepare();
    const error: unknown = await verify('alice').catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'ServerError' });
  });

  test('that changes its keys all the time is asked for them once in half a minute', async () => {
    expect(await verify('alice')).toBe(issuer.webId('alice'));
    for (let change = 0; change < 5; change++) {
      await issuer.changeKey();
      await expect(verify('alice')).rejects.toThrow('not valid');
    }
    expect(issuer.asked.filter((url) => url === '/jwks')).toHaveLength(1);
  });

  test('that renews its key is believed half a minute later', async () => {
    let now = Date.now();
    const patient = new WebIdVerifier({
      issuers: [issuer.url],
      origins: [],
      atOnce: 2,
      now: () => now,
    });
    const prove = () => issuer.prove('alice', path('Analyse'));
    expect(await patient.verify(await prove(), path('Analyse'))).toBe(issuer.webId('alice'));
    await issuer.changeKey();
    now += 31_000;
    expect(await patient.verify(await prove(), path('Analyse'))).toBe(issuer.webId('alice'));
    await patient.close();
  });

  test('that never answers holds up nobody of another issuer', async () => {
    await using good = await OwnIssuer.start();
    const both = new WebIdVerifier({ issuers: [issuer.url, good.url], origins: [], atOnce: 2 });
    issuer.answers.set('/jwks', () => undefined);
    await using service = await serveProving(both);
    const client = service.client();
    const flood = Array.from({ length: 100 }, async () =>
      client.analyse(issuer.webId('mallory'), {}, {}, await metadata('mallory', 'Analyse')),
    );
    await Promise.race(flood);
    const { authorization, dpop } = await good.prove('alice', path('Analyse'));
    const proof = { 'x-solid-authorization': authorization, 'x-solid-dpop': dpop };
    const asked = client.analyse(good.webId('alice'), {}, {}, proof);
    (await service.engine.begun(1)).finish(completed);
    expect(await asked).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    await Promise.all(flood);
    await both.close();
  });
});

function serveProving(asked: WebIdVerifier): Promise<Service> {
  return serve({ grpc: { require_web_id_proof: true, public_url: publicUrl }, verifier: asked });
}

async function metadata(name: string, call: string) {
  const { authorization, dpop } = await issuer.prove(name, path(call));
  return { 'x-solid-authorization': authorization, 'x-solid-dpop': dpop };
}
