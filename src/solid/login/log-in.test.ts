import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../requests/transport.js';
import { createDpopKey } from './dpop-proof.js';
import { logIn } from './login.js';

const serverUrl = 'https://pods.example/solid/';
const tokenUrl = `${serverUrl}.oidc/token`;
const key = createDpopKey();
/** Of the clock, which moves on by a second for each look. */
const start = 1_000_000;

interface Reply {
  status?: number;
  json: unknown;
  headers?: Record<string, string>;
}

/** A login at a server that gives these answers, one after the other. */
async function logInWith(...replies: Reply[]) {
  const asked: Exchange[] = [];
  let now = start - 1000;
  const attempt = logIn(
    {
      serverUrl,
      credentials: { clientId: 'an id', clientSecret: 'a:secret' },
      key,
      send: (exchange) => {
        asked.push(exchange);
        const { status = 200, json, headers = {} } = replies[asked.length - 1] ?? { json: null };
        const body = Buffer.from(JSON.stringify(json));
        return Promise.resolve({ url: exchange.url, status, headers, body });
      },
      now: () => {
        now += 1000;
        return now;
      },
    },
    new AbortController().signal,
  );
  const outcome: unknown = await attempt.catch((error: unknown) => error);
  return { outcome, asked };
}

const found: Reply = { json: { token_endpoint: tokenUrl } };
const granted: Reply = { json: { access_token: 'a token', expires_in: 60 } };

describe('a login', () => {
  test('asks where tokens are given, and there for one', async () => {
    const { outcome, asked } = await logInWith(found, granted);
    expect(outcome).toEqual({ value: 'a token', issuedAt: start, expiresAt: start + 60_000 });
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['GET', `${serverUrl}.well-known/openid-configuration`],
      ['POST', tokenUrl],
    ]);
    const { authorization = '', dpop = '' } = asked[1]?.headers ?? {};
    const [scheme, secret = ''] = authorization.split(' ');
    expect([scheme, Buffer.from(secret, 'base64').toString()]).toEqual([
      'Basic',
      'an%20id:a%3Asecret',
    ]);
    expect(decodeJwt(dpop)).toMatchObject({ htm: 'POST', htu: tokenUrl, iat: start / 1000 + 1 });
    expect(decodeJwt(dpop)).not.toHaveProperty('nonce');
  });

  test('is tried again with the nonce that the server wants, once', async () => {
    const demand: Reply = { status: 401, json: {}, headers: { 'dpop-nonce': 'once' } };
    const { outcome, asked } = await logInWith(found, demand, granted);
    expect(outcome).toMatchObject({ value: 'a token' });
    expect(decodeJwt(asked[2]?.headers['dpop'] ?? '')).toMatchObject({ nonce: 'once' });
    expect((await logInWith(found, demand, demand)).asked).toHaveLength(3);
  });

  test('holds for five minutes where the server does not say for how long', async () => {
    const { outcome } = await logInWith(found, { json: { access_token: 'a token' } });
    expect(outcome).toMatchObject({ expiresAt: start + 300_000 });
  });

  test('[T1] sends its secret to its server alone, wherever that says tokens are given', async () => {
    const { outcome, asked } = await logInWith(
      { json: { token_endpoint: 'https://evil.example/token' } },
      granted,
    );
    expect(outcome).toMatchObject({ failure: 'forbidden-address' });
    expect(asked).toHaveLength(1);
  });

  const failed = 'The login failed: ';
  const noSuchPlace = /names no token endpoint/;
  const unusable = /answered without a usable token\.$/;
  test.each<[string, Reply[], RegExp]>([
    ['is no Solid server', [{ status: 404, json: {} }], noSuchPlace],
    ['names no place for it', [{ json: {} }], noSuchPlace],
    ['names a place and means an error', [{ ...found, status: 404 }], noSuchPlace],
    [
      'refuses it and says why',
      [found, { status: 400, json: { error: 'invalid_client' } }],
      /HTTP 400 \(invalid_client\) from/,
    ],
    ['refuses it', [found, { ...granted, status: 401 }], /HTTP 401 from/],
    ['gives no token', [found, { json: {} }], unusable],
    ['gives an empty token', [found, { json: { access_token: '' } }], unusable],
    ['gives an endless token', [found, { json: { access_token: 'x'.repeat(65_537) } }], unusable],
    [
      'gives a token for ever',
      [found, { json: { access_token: 'x', expires_in: 86_401 } }],
      unusable,
    ],
    [
      'gives a token for no time',
      [found, { json: { access_token: 'x', expires_in: 0 } }],
      unusable,
    ],
  ])('fails where the server %s', async (_, replies, message) => {
    const { outcome, asked } = await logInWith(...replies);
    expect(outcome).toMatchObject({ failure: 'login', message: expect.stringMatching(message) });
    expect(outcome).toMatchObject({ message: expect.stringContaining(failed) });
    expect(asked).toHaveLength(replies.length);
  });

  test.each(['\u001b[2Jinvalid', 'invalid\nline', 'x'.repeat(41)])(
    '[T19] repeats no reason that is no plain word: %j',
    async (error) => {
      const { outcome } = await logInWith(found, { status: 400, json: { error } });
      expect(outcome).toMatchObject({ message: expect.stringContaining('HTTP 400 from') });
    },
  );
});
