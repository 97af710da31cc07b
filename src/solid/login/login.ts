import { z } from 'zod';
import { ServerError } from '../../base/errors.js';
import { waitFor } from '../../base/on-abort.js';
import { parseJson } from '../../base/parse-json.js';
import { type AllowedAddress, allowOrigins } from '../allowed-address.js';
import { rejectUnavailable } from '../requests/server.js';
import type { Transport } from '../requests/transport.js';
import type { SolidAnswer } from '../solid-client.js';
import { createDpopProof, type DpopKey, demandedNonce } from './dpop-proof.js';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

export interface AccessToken {
  value: string;
  /** Milliseconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

interface LoginContext {
  /** Ends in a slash. */
  serverUrl: string;
  credentials: ClientCredentials;
  key: DpopKey;
  send: Transport['send'];
  now: () => number;
}

const LONGEST_ANSWER = 262_144;
const LIFETIME_WHEN_UNSAID_S = 300;
const LONGEST_LIFETIME_S = 86_400;

const discoveryDocument = z.object({ token_endpoint: z.string() });
const tokenAnswer = z.object({
  access_token: z.string().min(1).max(65_536),
  expires_in: z.number().positive().max(LONGEST_LIFETIME_S).default(LIFETIME_WHEN_UNSAID_S),
});
const oauthError = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

/** The client credentials grant of RFC 6749, bound to the key by DPoP. */
export async function logIn(context: LoginContext, signal: AbortSignal): Promise<AccessToken> {
  const endpoint = await discoverTokenEndpoint(context, signal);
  const issuedAt = context.now();
  const first = await askForToken(context, endpoint, undefined, signal);
  const nonce = demandedNonce(first);
  const answer = nonce === undefined ? first : await askForToken(context, endpoint, nonce, signal);
  return judgeToken(rejectUnavailable(answer), issuedAt);
}

async function discoverTokenEndpoint(
  { serverUrl, send }: LoginContext,
  signal: AbortSignal,
): Promise<AllowedAddress> {
  const allowed = allowOrigins([serverUrl]);
  const url = allowed(new URL('.well-known/openid-configuration', serverUrl).href);
  const headers = { accept: 'application/json', 'cache-control': 'no-cache' };
  const exchange = { method: 'GET', url, headers, signal, maxBytes: LONGEST_ANSWER } as const;
  const answer = rejectUnavailable(await send(exchange));
  const document = discoveryDocument.safeParse(parseJson(answer.body));
  if (answer.status !== 200 || !document.success) {
    throw refuse(
      answer,
      `The login failed: ${answer.url} answered HTTP ${answer.status} and names no token endpoint; ` +
        'is this the address of a Solid server? If that has a path, server_url must name it.',
    );
  }
  // The secret goes only to the server itself, even if its discovery document names another.
  return allowed(document.data.token_endpoint);
}

function askForToken(
  { credentials, key, send, now }: LoginContext,
  endpoint: AllowedAddress,
  nonce: string | undefined,
  signal: AbortSignal,
): Promise<SolidAnswer> {
  const issuedAt = Math.floor(now() / 1000);
  const id = encodeURIComponent(credentials.clientId);
  const secret = encodeURIComponent(credentials.clientSecret);
  return send({
    method: 'POST',
    url: endpoint,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      dpop: createDpopProof(key, { method: 'POST', url: endpoint, issuedAt, nonce }),
    },
    body: 'grant_type=client_credentials&scope=webid',
    signal,
    maxBytes: LONGEST_ANSWER,
  });
}

function judgeToken(answer: SolidAnswer, issuedAt: number): AccessToken {
  const { status, url } = answer;
  const json = parseJson(answer.body);
  if (status !== 200) {
    const problem = oauthError.safeParse(json);
    const reason = problem.success ? ` (${problem.data.error})` : '';
    throw refuse(
      answer,
      `The login failed: HTTP ${status}${reason} from ${url}. The client credentials are revoked, ` +
        'mistyped or of another server; issue new ones for the account.',
    );
  }
  const token = tokenAnswer.safeParse(json);
  if (!token.success)
    throw refuse(answer, `The login failed: ${url} answered without a usable token.`);
  const { access_token: value, expires_in: lifetime } = token.data;
  return { value, issuedAt, expiresAt: issuedAt + lifetime * 1000 };
}

function refuse({ url, status }: SolidAnswer, message: string): ServerError {
  return new ServerError('login', message, { url, status });
}

export type Session = ReturnType<typeof createSession>;

/** How long before its end a token is renewed, at the earliest after three quarters of its life. */
const RENEW_AHEAD_MS = 60_000;
/** A younger token is not replaced: a server that refuses fresh tokens would cause a login for every request. */
const TOO_YOUNG_TO_BLAME_MS = 5_000;

/** The access token of one login. It is renewed before it expires, once for everybody who waits. */
export function createSession(logIn: () => Promise<AccessToken>, now: () => number) {
  let current: AccessToken | undefined;
  let pending: Promise<AccessToken> | undefined;

  function renew(): Promise<AccessToken> {
    pending ??= logIn()
      .then((token) => {
        current = token;
        return token;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  return {
    async token(signal: AbortSignal): Promise<AccessToken> {
      signal.throwIfAborted();
      if (current !== undefined && now() < renewalTime(current)) return current;
      const renewal = renew();
      if (current === undefined || now() >= current.expiresAt) return waitFor(renewal, signal);
      // It still holds, so nobody waits for a login that the server puts off.
      renewal.catch(() => undefined);
      return current;
    },
    /** Replaces a refused token, unless the token is too fresh to be the reason for the refusal. */
    async replace(refused: AccessToken, signal: AbortSignal): Promise<AccessToken> {
      if (current !== undefined && current !== refused) return current;
      if (now() - refused.issuedAt < youngAge(refused)) return refused;
      return waitFor(renew(), signal);
    },
  };
}

function renewalTime({ issuedAt, expiresAt }: AccessToken): number {
  return expiresAt - Math.min(RENEW_AHEAD_MS, (expiresAt - issuedAt) / 4);
}

function youngAge({ issuedAt, expiresAt }: AccessToken): number {
  return Math.min(TOO_YOUNG_TO_BLAME_MS, (expiresAt - issuedAt) / 2);
}
