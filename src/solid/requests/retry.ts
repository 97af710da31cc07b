import { isUnanswered, ServerError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import type { SolidAnswer } from '../solid-client.js';

export interface RetryPolicy {
  /** Tries in all, after a broken connection or 5xx. */
  tries: number;
  /** Tries in all for a server that does not answer in time: each costs a full timeout. */
  slowTries: number;
  /** Tries in all for a server that says "not now" (429, 503, Retry-After) to everything. */
  busyTries: number;
  /** How long a request is tried that a server refuses in this way while it answers others. */
  busyMs: number;
  firstPauseMs: number;
  /** Longest pause, whatever a Retry-After asks for. */
  longestPauseMs: number;
  /** A server whose Retry-After is longer is given up at once. */
  mostRetryAfterMs: number;
}

/** For the storage server itself: without it there is no analysis. */
export const DEFAULT_RETRY: RetryPolicy = {
  tries: 5,
  slowTries: 2,
  busyTries: 8,
  busyMs: 300_000,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
  mostRetryAfterMs: Number.POSITIVE_INFINITY,
};

/** For any other server: one Pod's files are not worth a long wait. */
export const RETRY_ELSEWHERE: Partial<RetryPolicy> = {
  slowTries: 1,
  longestPauseMs: 15_000,
  mostRetryAfterMs: 15_000,
};

export interface RetryContext {
  policy: RetryPolicy;
  /** Between 0 and 1. */
  random: () => number;
  now: () => number;
}

/** 5xx or 429: the server is in trouble, which says nothing about the document. */
export class UnavailableError extends ServerError {
  /** Whether the server says "not now", which is about its load and not about this document. */
  readonly isBusy: boolean;
  readonly retryAfter: string | undefined;

  constructor({ url, status, headers }: SolidAnswer) {
    const message = `${url} answered HTTP ${status}: the server is overloaded or in trouble.`;
    super('unavailable', message, { url, status });
    this.retryAfter = headers['retry-after'];
    this.isBusy = status === 429 || status === 503 || this.retryAfter !== undefined;
  }
}

/** 5xx that are answers: 501, the document has no such form; 507, the disk is full. */
const ANSWERS: ReadonlySet<number> = new Set([501, 507]);

/** Failures that another try cannot mend, or that the login's own retry has given up on. */
const final = new WeakSet<ServerError>();

/** The Community Solid Server's error when it is asked under a name other than its base URL. */
const FOREIGN_NAME = 'outside the configured identifier space';

/** Returns the answer; throws for 5xx and 429. */
export function rejectUnavailable(answer: SolidAnswer): SolidAnswer {
  const { status, url } = answer;
  if (status === 500 && answer.body.includes(FOREIGN_NAME)) {
    const message = `The server at ${new URL(url).host} does not know itself by that name: use the address in its own configuration (its base URL), to the letter.`;
    const error = new ServerError('unreachable', message, { url, status });
    // Another try would use the same wrong name.
    final.add(error);
    throw error;
  }
  if ((status >= 500 && !ANSWERS.has(status)) || status === 429) {
    throw new UnavailableError(answer);
  }
  return answer;
}

/** For tasks that may be repeated; the pauses grow, vary at random and end with the signal. */
export async function retry<T>(
  attempt: () => Promise<T>,
  context: RetryContext,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 1; true; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pause = pauseAfter(error, tried, context);
      if (pause === null) {
        if (error instanceof ServerError) final.add(error);
        throw error;
      }
      await sleepUntilAborted(pause, signal);
    }
  }
}

/** How long to wait before the next try; null for no further try. */
export function pauseAfter(
  error: unknown,
  tried: number,
  { policy, random, now }: RetryContext,
): number | null {
  if (!(error instanceof ServerError) || final.has(error)) return null;
  if (tried >= triesFor(error, policy)) return null;
  const asked = error instanceof UnavailableError ? readRetryAfter(error.retryAfter, now()) : 0;
  if (asked > policy.mostRetryAfterMs) return null;
  const backOff = policy.firstPauseMs * 2 ** (tried - 1) * (0.5 + random());
  return Math.min(Math.max(backOff, asked), policy.longestPauseMs);
}

/** Whether the server gave no answer; false for failures that were given up already. */
export function isSilence(error: unknown): error is ServerError {
  return isUnanswered(error) && !final.has(error);
}

function triesFor(error: ServerError, policy: RetryPolicy): number {
  if (!isUnanswered(error)) return 1;
  if (error.failure === 'slow') return policy.slowTries;
  return error instanceof UnavailableError && error.isBusy ? policy.busyTries : policy.tries;
}

/** Seconds or an HTTP date, as milliseconds from now. */
export function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // An HTTP date begins with the day's name; Date.parse alone would accept much else.
  const date = /^[A-Z][a-z]{2},/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

export function sleepUntilAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
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
