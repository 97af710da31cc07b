import { isUnanswered, ServerError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import type { SolidAnswer } from '../solid-client.js';

/** How often a request without an answer is tried. */
export interface RetryPolicy {
  /** Tries in all, after a broken connection or 5xx. */
  tries: number;
  /** Tries in all for a server that does not answer in time: each costs a full timeout. */
  slowTries: number;
  firstPauseMs: number;
  /** The longest pause, even if Retry-After asks for more. */
  longestPauseMs: number;
}

/** For the storage server itself: without it there is no analysis. */
export const RETRY_AT_HOME: RetryPolicy = {
  tries: 5,
  slowTries: 2,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
};

/** For any other server: one Pod's files are not worth a long wait. */
export const RETRY_ELSEWHERE: RetryPolicy = {
  ...RETRY_AT_HOME,
  slowTries: 1,
  longestPauseMs: 15_000,
};

export interface RetryContext {
  policy: RetryPolicy;
  /** Between 0 and 1. */
  random: () => number;
  now: () => number;
}

/** The server answered 5xx or 429: it is in trouble, and the document itself may be fine. */
export class UnavailableError extends ServerError {
  /** Whether the server says "not now" because it is overloaded, whichever document is asked for. */
  readonly isBusy: boolean;
  readonly retryAfter: string | undefined;

  constructor({ url, status, headers }: SolidAnswer) {
    const message = `${url} answered HTTP ${status}: the server is overloaded or in trouble.`;
    super('unavailable', message, { url, status });
    this.retryAfter = headers['retry-after'];
    this.isBusy = status === 429 || status === 503 || this.retryAfter !== undefined;
  }
}

/** 5xx that count as answers: 501 says that the document has no such form, 507 that the disk is full. */
const ANSWERS: ReadonlySet<number> = new Set([501, 507]);

/** Marks the error so that nobody tries the request again. */
export function withoutRetry(error: ServerError): ServerError {
  error.isFinal = true;
  return error;
}

/** The Community Solid Server's error when it is asked under a name other than its base URL. */
const FOREIGN_NAME = 'outside the configured identifier space';

/** Returns the answer; throws for 429, and for 5xx except 501 and 507. */
export function rejectUnavailable(answer: SolidAnswer): SolidAnswer {
  const { status, url } = answer;
  if (status === 500 && answer.body.includes(FOREIGN_NAME)) {
    const message = `The server at ${new URL(url).host} does not know itself by that name: use the address in its own configuration (its base URL), to the letter.`;
    // Another try would use the same wrong name.
    throw withoutRetry(new ServerError('unreachable', message, { url, status }));
  }
  if ((status >= 500 && !ANSWERS.has(status)) || status === 429) {
    throw new UnavailableError(answer);
  }
  return answer;
}

/**
 * Tries a repeatable task again while the server gives no answer. The pauses between the tries grow and vary at
 * random, and an abort ends them. `mostTries` lowers the number of tries that the policy allows.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  context: RetryContext,
  signal: AbortSignal,
  mostTries = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (let tried = 1; true; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isSilence(error)) throw error;
      const { tries, slowTries } = context.policy;
      const allowed = Math.min(mostTries, error.failure === 'slow' ? slowTries : tries);
      if (tried >= allowed) throw withoutRetry(error);
      await sleepUntilAborted(pauseAfter(error, tried, context), signal);
    }
  }
}

function pauseAfter(error: ServerError, tried: number, context: RetryContext): number {
  const { policy, random, now } = context;
  const wanted = error instanceof UnavailableError ? readRetryAfter(error.retryAfter, now()) : 0;
  const backOff = policy.firstPauseMs * 2 ** (tried - 1) * (0.5 + random());
  return Math.min(Math.max(backOff, wanted), policy.longestPauseMs);
}

/** Whether the server gave no answer; false for failures marked by `withoutRetry`. */
export function isSilence(error: unknown): error is ServerError {
  return isUnanswered(error) && !error.isFinal;
}

/** Seconds or an HTTP date, as milliseconds from now. */
export function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // An HTTP date begins with the day's name; Date.parse alone would accept much more.
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
