import type { ServerError } from '../../base/errors.js';
import type { SolidAnswer, SolidRequest } from '../solid-client.js';
import { type RequestBounds, RequestLimit } from './request-limit.js';
import {
  isSilence,
  type RetryContext,
  readRetryAfter,
  retry,
  sleepUntilAborted,
  UnavailableError,
  withoutRetry,
} from './retry.js';

/** The rules by which a server that says "not now" (429, 503, or with Retry-After) is given up. */
export interface BusyRules {
  /**
   * The server is given up after this number of "not now" in succession, without an answer in between. Refusals of
   * requests that were in flight together count once.
   */
  mostRefusals: number;
  /**
   * A request fails if the server refuses it more than this time after it was made. The server is given up too, unless
   * it has answered another request meanwhile.
   */
  mostMs: number;
  /** The same happens to a request for which the server wants a longer pause than this. */
  mostRetryAfterMs: number;
  /** How long a server that was given up gets no requests; with 0, only the requests that were made before fail. */
  leaveAloneMs: number;
}

/** For the storage server itself. */
export const BUSY_AT_HOME: BusyRules = {
  mostRefusals: 8,
  mostMs: 300_000,
  mostRetryAfterMs: Number.POSITIVE_INFINITY,
  leaveAloneMs: 0,
};

/** For any other server, which is left alone for a while. */
export const BUSY_ELSEWHERE: BusyRules = {
  ...BUSY_AT_HOME,
  mostRetryAfterMs: 15_000,
  leaveAloneMs: 60_000,
};

export interface KnownServerOptions {
  bounds: RequestBounds;
  retries: RetryContext;
  busy: BusyRules;
}

interface RequestRules {
  signal: AbortSignal;
  isRepeatable: boolean;
  /** The most tries when there is no answer. */
  tries?: number | undefined;
  onPlace?: SolidRequest['onPlace'];
}

/** The first pause after a refusal, when the server does not name one. */
const FIRST_ROUND_MS = 100;
const LONGEST_ROUND_MS = 5_000;

/**
 * Keeps the knowledge from one server's answers: how many requests the server takes at once, when it wants a pause,
 * whether it is too busy. The object lives as long as the client, so that the next analysis can use this knowledge.
 * Other servers are not affected.
 */
export class KnownServer {
  readonly #limit: RequestLimit;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** "Not now" in succession, without an answer in between; those of requests in flight together count once. */
  #refusals = 0;
  #pausedUntil = 0;
  /** Why the server was given up; fails all requests that were made before `until`. */
  #givenUp: { until: number; error: ServerError } | null = null;

  constructor(private readonly options: KnownServerOptions) {
    this.#limit = new RequestLimit(options.bounds);
  }

  /** Sends one request, with retries. */
  request(
    send: () => Promise<SolidAnswer>,
    { signal, isRepeatable, tries, onPlace }: RequestRules,
  ): Promise<SolidAnswer> {
    const madeAt = performance.now();
    const attempt = () => this.#untilTaken(send, madeAt, { signal, onPlace });
    return retry(attempt, this.options.retries, signal, isRepeatable ? tries : 1);
  }

  /**
   * After "not now" the request queues again behind the others. This holds even for a request that is not repeatable:
   * a request that was refused has done nothing yet. So a try ends only with an answer, with silence, or because the
   * request or the server is given up.
   */
  async #untilTaken(
    send: () => Promise<SolidAnswer>,
    madeAt: number,
    { signal, onPlace }: Pick<RequestRules, 'signal' | 'onPlace'>,
  ): Promise<SolidAnswer> {
    while (true) {
      let sentAt = madeAt;
      const task = async (leave: () => void): Promise<SolidAnswer> => {
        // The pause comes before `onPlace`, so waiting for its end does not count as a slow answer.
        await this.#mayAsk(madeAt, signal);
        sentAt = performance.now();
        const ended = onPlace?.(leave);
        try {
          return await send();
        } finally {
          ended?.();
        }
      };
      try {
        const answer = await this.#limit.run(task, signal);
        this.#answered();
        return answer;
      } catch (error) {
        if (!isSilence(error)) throw error;
        const isOverload = error.failure !== 'unreachable' && this.#limit.overloaded(sentAt);
        if (!(error instanceof UnavailableError && error.isBusy)) throw error;
        if (isOverload) this.#refused(error.retryAfter);
        if (this.#mayAskAgain(error, madeAt)) continue;
        this.#giveUp(error, madeAt);
        throw withoutRetry(error);
      }
    }
  }

  /** A busy server can refuse one request repeatedly by chance, so an answer to another request restarts the count. */
  #mayAskAgain({ retryAfter }: UnavailableError, madeAt: number): boolean {
    const { busy, retries } = this.options;
    const isLong = readRetryAfter(retryAfter, retries.now()) > busy.mostRetryAfterMs;
    return !isLong && !this.#refusesAll() && performance.now() - madeAt <= busy.mostMs;
  }

  /** Waits for the end of a pause; throws when the server was given up. */
  async #mayAsk(madeAt: number, signal: AbortSignal): Promise<void> {
    while (true) {
      if (this.#givenUp !== null && madeAt < this.#givenUp.until) throw this.#givenUp.error;
      const remainingMs = this.#pausedUntil - performance.now();
      if (remainingMs <= 0) return;
      await sleepUntilAborted(remainingMs, signal);
    }
  }

  #answered(): void {
    this.#answeredAt = performance.now();
    this.#refusals = 0;
    this.#givenUp = null;
    this.#limit.answered();
  }

  #refused(retryAfter: string | undefined): void {
    this.#refusals += 1;
    const { policy, now } = this.options.retries;
    const backOff = Math.min(FIRST_ROUND_MS * 2 ** (this.#refusals - 1), LONGEST_ROUND_MS);
    const wanted = readRetryAfter(retryAfter, now());
    const pause = Math.min(Math.max(backOff, wanted), policy.longestPauseMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pause);
  }

  #refusesAll(): boolean {
    return this.#refusals >= this.options.busy.mostRefusals;
  }

  /**
   * Only "not now" gives a server up: silence may concern a single file, and must not affect others. A single refusal
   * tells nothing about the server when the server answered other requests meanwhile.
   */
  #giveUp(error: ServerError, madeAt: number): void {
    if (this.#answeredAt >= madeAt && !this.#refusesAll()) return;
    this.#refusals = 0;
    this.#givenUp = { until: performance.now() + this.options.busy.leaveAloneMs, error };
  }
}
