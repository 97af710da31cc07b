import type { ServerError } from '../../base/errors.js';
import type { SolidAnswer } from '../solid-client.js';
import { type RequestBounds, RequestLimit } from './request-limit.js';
import {
  isSilence,
  pauseAfter,
  type RetryContext,
  readRetryAfter,
  sleepUntilAborted,
  UnavailableError,
} from './retry.js';

export interface KnownServerOptions {
  bounds: RequestBounds;
  retries: RetryContext;
  /** How long a server that said "not now" to everything is not asked again; 0 to ask it always. */
  leaveAloneMs: number;
}

interface RequestRules {
  signal: AbortSignal;
  isRepeatable: boolean;
  /** The most tries when there is no answer. */
  tries?: number | undefined;
}

/** The first pause after a refusal, when the server does not name one. */
const FIRST_ROUND_MS = 100;
const LONGEST_ROUND_MS = 5_000;

/**
 * What is known of one server from its answers: how many requests it takes at once, when it wants a
 * pause, whether it is too busy for any. It lives as long as the client, so that the next analysis
 * starts with what the last one learned, and other servers are not affected.
 */
export class KnownServer {
  readonly #limit: RequestLimit;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Refusals in succession, without an answer in between. */
  #refusals = 0;
  #pausedUntil = 0;
  /** Why the server was given up; fails all requests that were made before `until`. */
  #givenUp: { until: number; error: ServerError } | null = null;

  constructor(private readonly options: KnownServerOptions) {
    this.#limit = new RequestLimit(options.bounds);
  }

  /** Sends one request, with retries. One that was refused queues again behind the others. */
  async request(
    send: () => Promise<SolidAnswer>,
    { signal, isRepeatable, tries = Number.POSITIVE_INFINITY }: RequestRules,
  ): Promise<SolidAnswer> {
    const madeAt = performance.now();
    /** Tries that were not refused with "not now". */
    let failed = 0;
    while (true) {
      let sentAt = Number.NaN;
      const task = async (): Promise<SolidAnswer> => {
        await this.#mayAsk(madeAt, signal);
        sentAt = performance.now();
        return await send();
      };
      try {
        const answer = await this.#limit.run(task, signal);
        this.#answered();
        return answer;
      } catch (error) {
        // A request that was never sent fails with the error of another, which has been counted.
        if (Number.isNaN(sentAt) || !isSilence(error)) throw error;
        const isBusy = error instanceof UnavailableError && error.isBusy;
        const isOverload = error.failure !== 'unreachable' && this.#limit.overloaded(sentAt);
        if (isOverload && isBusy) this.#refused(error.retryAfter);
        if (!isBusy) failed += 1;
        const mayRepeat = isBusy ? this.#mayAskAgain(madeAt) : failed < tries;
        const pause = mayRepeat
          ? pauseAfter(error, Math.max(1, failed), this.options.retries)
          : null;
        if (pause === null && isBusy) this.#giveUp(error, madeAt);
        // After "not now" nothing has been done yet, so any request may be repeated.
        if (pause === null || !(isRepeatable || isBusy)) throw error;
        if (!isBusy) await sleepUntilAborted(pause, signal);
      }
    }
  }

  /** A busy server that answers others can refuse one request again and again by chance. */
  #mayAskAgain(madeAt: number): boolean {
    const { busyMs } = this.options.retries.policy;
    return performance.now() - madeAt <= busyMs && !this.#refusesAll();
  }

  /** Waits for the end of a pause. */
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
    const asked = readRetryAfter(retryAfter, now());
    const pause = Math.min(Math.max(backOff, asked), policy.longestPauseMs);
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pause);
  }

  #refusesAll(): boolean {
    return this.#refusals >= this.options.retries.policy.busyTries;
  }

  /**
   * Only for "not now": silence may be that of a single file, which must not affect others. A single
   * refusal says nothing about the server when others were answered meanwhile.
   */
  #giveUp(error: ServerError, madeAt: number): void {
    if (this.#answeredAt >= madeAt && !this.#refusesAll()) return;
    this.#refusals = 0;
    this.#givenUp = { until: performance.now() + this.options.leaveAloneMs, error };
  }
}
