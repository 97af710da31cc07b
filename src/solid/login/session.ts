import { onAbort } from '../../base/on-abort.js';
import type { AccessToken } from './login.js';

/** The access token of one login. It is renewed before it expires, once for everybody who waits. */
export interface Session {
  token(signal: AbortSignal): Promise<AccessToken>;
  /** Replaces a refused token, unless the token is too fresh to be the reason for the refusal. */
  replace(refused: AccessToken, signal: AbortSignal): Promise<AccessToken>;
}

/** How long before its end a token is renewed, at the earliest after three quarters of its life. */
const RENEW_AHEAD_MS = 60_000;
/** A younger token is not replaced: a server that refuses fresh tokens would cause a login for every request. */
const TOO_YOUNG_TO_BLAME_MS = 5_000;

export function createSession(logIn: () => Promise<AccessToken>, now: () => number): Session {
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
    async token(signal) {
      signal.throwIfAborted();
      if (current !== undefined && now() < renewalTime(current)) return current;
      const renewal = renew();
      if (current === undefined || now() >= current.expiresAt) return waitFor(renewal, signal);
      // It still holds, so nobody waits for a login that the server puts off.
      renewal.catch(() => undefined);
      return current;
    },
    async replace(refused, signal) {
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

/** Stops waiting when the signal aborts; the login goes on for the others. */
export function waitFor<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      const reason: unknown = signal.reason;
      reject(reason);
    });
    shared.then(resolve, reject).finally(forget);
  });
}
