import { ServerError } from '../base/errors.js';
import { onAbort } from './link-signals.js';
import type { SolidAnswer } from './solid-client.js';

export interface RetryPolicy {
  /** Tries in all, after a broken connection, 5xx or 429. */
  tries: number;
  /** Tries in all for a server that does not answer in time: each costs a full timeout. */
  slowTries: number;
  firstPauseMs: number;
  /** Longest pause that a Retry-After can ask for. */
  longestPauseMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  tries: 5,
  slowTries: 2,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
};

export interface RetryContext {
  policy: RetryPolicy;
  /** Between 0 and 1. */
  random: () => number;
  now: () => number;
}

/** 5xx or 429: the server chokes, as opposed to having an answer. */
class UnavailableError extends ServerError {
  constructor(
    { url, status, headers }: SolidAnswer,
    readonly retryAfter = headers['retry-after'],
  ) {
    const message = `${url} answered HTTP ${status}: the server is overloaded or in trouble.`;
    super('unavailable', message, { url, status });
  }
}

/** Not implemented: the server's way to say that a document has no such form. */
const NOT_IMPLEMENTED = 501;

/** The answer, if it is one. */
export function rejectUnavailable(answer: SolidAnswer): SolidAnswer {
  const { status } = answer;
  if ((status >= 500 && status !== NOT_IMPLEMENTED) || status === 429) {
    throw new UnavailableError(answer);
  }
  return answer;
}

/** Failures an inner retry, that of the login, has already given up on. */
const final = new WeakSet<ServerError>();

/** For what may be repeated without harm; pauses grow and scatter, and end with the signal. */
export async function retry<T>(
  attempt: () => Promise<T>,
  { policy, random, now }: RetryContext,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 1; true; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= triesFor(error, policy)) {
        if (error instanceof ServerError) final.add(error);
        throw error;
      }
      const backOff = policy.firstPauseMs * 2 ** (tried - 1) * (0.5 + random());
      const asked = error instanceof UnavailableError ? error.retryAfter : undefined;
      const pause = Math.max(backOff, readRetryAfter(asked, now()));
      await sleepUntilAborted(Math.min(pause, policy.longestPauseMs), signal);
    }
  }
}

function triesFor(error: unknown, policy: RetryPolicy): number {
  if (!(error instanceof ServerError) || final.has(error)) return 1;
  if (error.failure === 'unreachable' || error.failure === 'unavailable') return policy.tries;
  return error.failure === 'slow' ? policy.slowTries : 1;
}

/** Seconds or an HTTP date, as milliseconds from now. */
export function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // An HTTP date begins with the name of the day; Date.parse takes much that is none.
  const date = /^[A-Z][a-z]{2},/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

function sleepUntilAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, milliseconds);
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      const reason: unknown = signal.reason;
      reject(reason);
    });
  });
}
