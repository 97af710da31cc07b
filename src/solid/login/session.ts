import { onAbort } from '../requests/link-signals.js';
import type { AccessToken } from './login.js';

/** The access token of one login, renewed ahead of its end: once, however many wait for it. */
export interface Session {
  token(signal: AbortSignal): Promise<AccessToken>;
  /** A token in place of one that was refused; the same one when it is too young to blame. */
  replace(refused: AccessToken, signal: AbortSignal): Promise<AccessToken>;
}

/** Renewed this long before the end, but never in the first three quarters of a life. */
const RENEW_AHEAD_MS = 60_000;
/** A server that refuses fresh tokens must not be asked for one with every request. */
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
      return current && now() < renewalTime(current) ? current : waitFor(renew(), signal);
    },
    async replace(refused, signal) {
      if (current !== undefined && current !== refused) return current;
      if (now() - refused.issuedAt < youth(refused)) return refused;
      return waitFor(renew(), signal);
    },
  };
}

function renewalTime({ issuedAt, expiresAt }: AccessToken): number {
  return expiresAt - Math.min(RENEW_AHEAD_MS, (expiresAt - issuedAt) / 4);
}

function youth({ issuedAt, expiresAt }: AccessToken): number {
  return Math.min(TOO_YOUNG_TO_BLAME_MS, (expiresAt - issuedAt) / 2);
}

/** One waiter that is aborted stops waiting; the login goes on for the others. */
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
