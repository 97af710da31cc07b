import { ConcurrencyLimit } from '../../base/concurrency.js';
import { isUnanswered, ServerError } from '../../base/errors.js';
import { waitFor } from '../../base/on-abort.js';
import type { SolidAnswer, SolidRequest } from '../solid-client.js';
import type { Patience } from './patience.js';

/** The server answered 5xx or 429: it is in trouble, and the document itself may be fine. */
export class UnavailableError extends ServerError {
  /** Whether the server says "not now" because it is overloaded, whichever document is asked for. */
  readonly isBusy: boolean;
  /** How long the server wants to be left alone; 0 if it does not say. */
  readonly pauseMs: number;

  constructor({ url, status, headers }: SolidAnswer) {
    const wanted = headers['retry-after'];
    const message = `${url} answered HTTP ${status}: the server is overloaded or in trouble.`;
    super('unavailable', message, { url, status });
    this.isBusy = status === 429 || status === 503 || wanted !== undefined;
    this.pauseMs = readRetryAfter(wanted);
  }
}

/** 5xx that count as answers: 501 says that the document has no such form, 507 that the disk is full. */
const ANSWERS: ReadonlySet<number> = new Set([501, 507]);

/** The Community Solid Server's error when it is asked under a name other than its base URL. */
const FOREIGN_NAME = 'outside the configured identifier space';

export function rejectUnavailable(answer: SolidAnswer): SolidAnswer {
  const { status, url } = answer;
  if (status === 500 && answer.body.includes(FOREIGN_NAME)) {
    const message = `The server at ${new URL(url).host} does not know itself by that name: use the address in its own configuration (its base URL), to the letter.`;
    const error = new ServerError('unreachable', message, { url, status });
    // Another try would use the same wrong name.
    error.isFinal = true;
    throw error;
  }
  if ((status >= 500 && !ANSWERS.has(status)) || status === 429) throw new UnavailableError(answer);
  return answer;
}

/** Seconds as milliseconds. A date, which no server is known to send, counts as no wish. */
export function readRetryAfter(value = ''): number {
  return /^\d{1,9}$/.test(value) ? Number(value) * 1000 : 0;
}

/** How a server is asked, in trouble too. */
export interface RequestPolicy {
  /** How many requests may be in flight at once. The Community Solid Server answers no faster with more. */
  atOnce: number;
  /** Tries in all, after a broken connection or 5xx. */
  tries: number;
  /** Tries in all when there is no answer in time: each costs a full timeout. */
  slowTries: number;
  /** Before the second try; each later pause is twice as long. */
  firstPauseMs: number;
  /** The longest pause, even if the server asks for more. */
  longestPauseMs: number;
  /** A server that says "not now" this often in succession, without an answer in between, is given up. */
  mostRefusals: number;
  /** A request is given up if the server says "not now" to it more than this time after it was made. */
  mostMs: number;
}

export const usualPolicy: RequestPolicy = {
  atOnce: 16,
  tries: 5,
  slowTries: 2,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
  mostRefusals: 8,
  mostMs: 300_000,
};

/** The longest pause that the server did not ask for. */
const LONGEST_BACK_OFF_MS = 5_000;
/** So soon does a request that pauses notice that the pause was ended by an answer to another. */
const NOTICED_MS = 1_000;

interface RequestRules extends Pick<SolidRequest, 'tries' | 'longestPauseMs' | 'isApart'> {
  signal: AbortSignal;
  /** Of this request; without it, each exchange has the time of the transport. */
  patience?: Patience | undefined;
  isRepeatable?: boolean;
}

/**
 * One server, as all requests of a client meet it: some of them at once, the others in order of arrival. While there is
 * no answer, a request is tried again. When the server says "not now", all requests to it pause, until it answers one that
 * was sent after that. One that finds nothing else under way asks at once: perhaps the pause was asked for long ago.
 */
export class Server {
  readonly #places: ConcurrencyLimit;
  /** "Not now" in succession, without an answer in between. Those of requests in flight together count once. */
  #refusals = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  /** Fails all requests that were made before the server was given up. */
  #givenUp: { at: number; error: ServerError } | null = null;
  #underWay = 0;

  constructor(private readonly policy: RequestPolicy) {
    this.#places = new ConcurrencyLimit(policy.atOnce);
  }

  async request<T>(send: (signal: AbortSignal) => Promise<T>, rules: RequestRules): Promise<T> {
    this.#underWay += 1;
    try {
      return await this.#tryOften(send, rules, this.#underWay === 1);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #tryOften<T>(
    send: (signal: AbortSignal) => Promise<T>,
    { signal, isRepeatable = true, tries = Number.POSITIVE_INFINITY, ...rules }: RequestRules,
    asksAtOnce: boolean,
  ): Promise<T> {
    const madeAt = performance.now();
    const most = isRepeatable ? tries : 1;
    const longestMs = rules.longestPauseMs ?? this.policy.longestPauseMs;
    const patiently = <R>(work: (signal: AbortSignal) => Promise<R>) =>
      rules.patience === undefined ? work(signal) : rules.patience.during(work, signal);
    let mayPause = !asksAtOnce;
    for (let tried = 0; ; ) {
      let sentAt = madeAt;
      const attempt = async () => {
        if (mayPause) await this.#pauseOver(madeAt, longestMs, signal);
        mayPause = true;
        sentAt = performance.now();
        return await patiently(send);
      };
      try {
        const answer = await (rules.isApart ? attempt() : this.#places.run(attempt, signal));
        this.#answered(sentAt);
        return answer;
      } catch (error) {
        if (!isUnanswered(error) || error.isFinal) throw error;
        if (error instanceof UnavailableError && error.isBusy) {
          // It has done nothing yet, so it queues again, even if it is not repeatable.
          this.#refused(error, sentAt);
          if (performance.now() - madeAt > this.policy.mostMs) throw final(error);
        } else {
          tried += 1;
          const allowed = error.failure === 'slow' ? this.policy.slowTries : this.policy.tries;
          if (tried >= Math.min(most, allowed)) throw final(error);
          const wanted = error instanceof UnavailableError ? error.pauseMs : 0;
          const pauseMs = Math.min(this.#pauseAfter(tried, wanted), longestMs);
          await patiently((until) => pause(pauseMs, until));
        }
      }
    }
  }

  async #pauseOver(madeAt: number, longestMs: number, signal: AbortSignal): Promise<void> {
    const last = performance.now() + longestMs;
    for (;;) {
      signal.throwIfAborted();
      if (this.#givenUp !== null && madeAt < this.#givenUp.at) throw this.#givenUp.error;
      const remaining = Math.min(this.#pausedUntil, last) - performance.now();
      if (remaining <= 0) return;
      await pause(Math.min(remaining, NOTICED_MS), signal);
    }
  }

  /** The answer to a request that was in flight when the server said "not now" tells nothing about afterwards. */
  #answered(sentAt: number): void {
    if (sentAt < this.#refusedAt) return;
    this.#refusals = 0;
    this.#pausedUntil = 0;
    this.#givenUp = null;
  }

  #refused(error: UnavailableError, sentAt: number): void {
    if (sentAt < this.#refusedAt) return;
    this.#refusals += 1;
    this.#refusedAt = performance.now();
    if (this.#refusals < this.policy.mostRefusals) {
      this.#pausedUntil = this.#refusedAt + this.#pauseAfter(this.#refusals, error.pauseMs);
      return;
    }
    this.#refusals = 0;
    this.#givenUp = { at: this.#refusedAt, error: final(error) };
  }

  /** Varies at random, so that requests that failed together do not come together again. */
  #pauseAfter(times: number, wantedMs: number): number {
    const { firstPauseMs, longestPauseMs } = this.policy;
    const backOff = firstPauseMs * 2 ** (times - 1) * (0.5 + Math.random());
    return Math.min(Math.max(Math.min(backOff, LONGEST_BACK_OFF_MS), wantedMs), longestPauseMs);
  }
}

function final(error: ServerError): ServerError {
  error.isFinal = true;
  return error;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await waitFor(over, signal).finally(() => clearTimeout(timer));
}
