import type { OriginSet } from '../../base/origin-set.js';
import type { Exchange, Transport } from '../requests/transport.js';
import { serverSpelling, withoutQuery } from '../server-spelling.js';
import type { SolidAnswer } from '../solid-client.js';
import { createDpopProof, type DpopKey, demandedNonce } from './dpop-proof.js';
import type { AccessToken, Session } from './login.js';

export interface AuthorisedSenderOptions {
  send: Transport['send'];
  session: Session;
  key: DpopKey;
  ownOrigins: OriginSet;
  now: () => number;
}

/** Sends with the session's token and a fresh proof. After a 401, tries a nonce, another spelling, a new token. */
export function createAuthorisedSender(options: AuthorisedSenderOptions) {
  const { send, session, key, ownOrigins, now } = options;
  const nonces = new Map<string, string>();
  /** Origins that compare the address in a proof letter by letter with the requested one. */
  const literal = new Set<string>();

  async function sendWithProof(
    exchange: Exchange,
    token: AccessToken,
    asSpelled: boolean,
  ): Promise<SolidAnswer> {
    const { method, url } = exchange;
    const origin = originOf(url);
    const authorization = `DPoP ${token.value}`;
    for (let isRepeated = false; true; isRepeated = true) {
      const issuedAt = Math.floor(now() / 1000);
      const nonce = nonces.get(origin);
      const claims = { method, url, issuedAt, nonce, accessToken: token.value, asSpelled };
      const dpop = createDpopProof(key, claims);
      const headers = { ...exchange.headers, authorization, dpop };
      const answer = await send({ ...exchange, headers });
      const nextNonce = answer.headers['dpop-nonce'];
      if (nextNonce !== undefined) nonces.set(origin, nextNonce);
      const demanded = demandedNonce(answer);
      if (isRepeated || demanded === undefined || demanded === nonce) return answer;
    }
  }

  /** Some paths have two spellings, and servers differ about the spelling that the proof has to hold. */
  async function sendInEitherSpelling(
    exchange: Exchange,
    token: AccessToken,
  ): Promise<SolidAnswer> {
    const { url } = exchange;
    const origin = originOf(url);
    const asSpelled = literal.has(origin);
    const answer = await sendWithProof(exchange, token, asSpelled);
    if (answer.status !== 401 || serverSpelling(url) === withoutQuery(url)) return answer;
    const other = await sendWithProof(exchange, token, !asSpelled);
    if (other.status === 401) return answer;
    if (asSpelled) literal.delete(origin);
    else literal.add(origin);
    return other;
  }

  return async (exchange: Exchange & { signal: AbortSignal }): Promise<SolidAnswer> => {
    const token = await session.token(exchange.signal);
    const answer = await sendInEitherSpelling(exchange, token);
    // Another server may refuse every token of ours, so its refusal causes no login.
    if (answer.status !== 401 || !ownOrigins.has(originOf(exchange.url))) return answer;
    // The token may have been revoked, or the server may have new keys since the token was issued.
    const replacement = await session.replace(token, exchange.signal);
    return replacement === token ? answer : sendInEitherSpelling(exchange, replacement);
  };
}

/** Takes only an address in its normal form, which every exchange has. */
export function originOf(url: string): string {
  const end = url.indexOf('/', 'https://'.length);
  return end === -1 ? url : url.slice(0, end);
}
