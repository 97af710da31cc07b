import { z } from 'zod';
import { ServerError } from '../../base/errors.js';
import { parseJson } from '../../base/parse-json.js';
import { type AllowedAddress, allowOrigins } from '../allowed-address.js';
import type { Transport } from '../requests/transport.js';
import { rejectUnavailable } from '../requests/unavailable.js';
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

export interface LoginContext {
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
  const own = allowOrigins([serverUrl]);
  const url = own.check(new URL('.well-known/openid-configuration', serverUrl).href);
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
  return own.check(document.data.token_endpoint);
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
