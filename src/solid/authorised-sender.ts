import { createDpopProof, type DpopKey } from './dpop-proof.js';
import type { AccessToken } from './login.js';
import type { Session } from './session.js';
import type { SolidAnswer } from './solid-client.js';
import type { Exchange, Transport } from './transport.js';

/** Sends with the session's token and a fresh proof; answers the server's demands for better. */
export type AuthorisedSender = (
  exchange: Exchange & { signal: AbortSignal },
) => Promise<SolidAnswer>;

export interface AuthorisedSenderOptions {
  send: Transport['send'];
  session: Session;
  key: DpopKey;
  now: () => number;
}

export function createAuthorisedSender(options: AuthorisedSenderOptions): AuthorisedSender {
  const { send, session, key, now } = options;
  const nonces = new Map<string, string>();

  async function sendWithProof(exchange: Exchange, token: AccessToken): Promise<SolidAnswer> {
    const { method, url } = exchange;
    const origin = originOf(url);
    const issuedAt = Math.floor(now() / 1000);
    const nonce = nonces.get(origin);
    const dpop = createDpopProof(key, { method, url, issuedAt, nonce, accessToken: token.value });
    const authorization = `DPoP ${token.value}`;
    const headers = { ...exchange.headers, authorization, dpop };
    const answer = await send({ ...exchange, headers });
    const nextNonce = answer.headers['dpop-nonce'];
    if (nextNonce !== undefined) nonces.set(origin, nextNonce);
    return answer;
  }

  async function sendWithNonce(exchange: Exchange, token: AccessToken): Promise<SolidAnswer> {
    const answer = await sendWithProof(exchange, token);
    return demandsNonce(answer) ? sendWithProof(exchange, token) : answer;
  }

  return async (exchange) => {
    const token = await session.token(exchange.signal);
    const answer = await sendWithNonce(exchange, token);
    if (answer.status !== 401) return answer;
    // The token may have been revoked, or the server may have new keys since it was issued.
    const replacement = await session.replace(token, exchange.signal);
    return replacement === token ? answer : sendWithNonce(exchange, replacement);
  };
}

/** Of an address in its normal form, as every exchange has it. */
export function originOf(url: string): string {
  const end = url.indexOf('/', 'https://'.length);
  return end === -1 ? url : url.slice(0, end);
}

function demandsNonce({ status, headers }: SolidAnswer): boolean {
  const demand = headers['www-authenticate'] ?? '';
  return status === 401 && headers['dpop-nonce'] !== undefined && demand.includes('use_dpop_nonce');
}
