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
  /** How long a server that did not answer is not asked again; 0 to ask it always. */
  silenceMs: number;
}

/** The first pause after a refusal, when the server does not name one. */
const FIRST_ROUND_MS = 100;
const LONGEST_ROUND_MS = 5_000;
/** A busy server that answers others can refuse one request again and again by chance. */
const MORE_TRIES_WHILE_IT_ANSWERS = 3;

/**
 * What is known of one server from its answers: how many requests it takes at once, when it wants a
 * pause, whether it answers at all. It lives as long as the client, so that the next analysis
 * starts with what the last one learned, and other servers are not affected.
 */
export class KnownServer {
  readonly limit: RequestLimit;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Refusals in succession, without an answer in between. */
  #refusals = 0;
  #silent: { until: number; error: ServerError } | null = null;

  constructor(private readonly options: KnownServerOptions) {
    this.limit = new RequestLimit(options.bounds);
  }

  /** Sends one request, with retries. */
  async request(
    send: () => Promise<SolidAnswer>,
    { signal, isRepeatable }: { signal: AbortSignal; isRepeatable: boolean },
  ): Promise<SolidAnswer> {
    const startedAt = performance.now();
    let lastSentAt = startedAt;
    for (let tried = 1; true; tried += 1) {
      this.#failWhileSilent();
      const sent = { at: Number.NaN };
      const task = (): Promise<SolidAnswer> => {
        sent.at = performance.now();
        return send();
      };
      try {
        const answer = await this.limit.run(task, signal);
        this.#answered();
        return answer;
      } catch (error) {
        // A request that was never sent fails with the error of another, which has been counted.
        if (Number.isNaN(sent.at) || !isSilence(error)) throw error;
        const isBusy = error instanceof UnavailableError && error.isBusy;
        if (isOverload(error) && this.limit.overloaded(sent.at)) this.#overloaded(error);
        const isChance = isBusy && this.#answeredAt >= lastSentAt;
        lastSentAt = sent.at;
        const counted = isChance ? Math.ceil(tried / MORE_TRIES_WHILE_IT_ANSWERS) : tried;
        const pause = this.#refusesAll() ? null : pauseAfter(error, counted, this.options.retries);
        if (pause === null) this.#giveUp(error, startedAt);
        // After "not now" nothing has been done yet, so any request may be repeated.
        if (pause === null || !(isRepeatable || isBusy)) throw error;
        if (!isBusy) await sleepUntilAborted(pause, signal);
      }
    }
  }

  #answered(): void {
    this.#answeredAt = performance.now();
    this.#refusals = 0;
    this.limit.answered();
  }

  #overloaded(error: ServerError): void {
    if (!(error instanceof UnavailableError) || !error.isBusy) return;
    this.#refusals += 1;
    const { policy, now } = this.options.retries;
    const backOff = Math.min(FIRST_ROUND_MS * 2 ** (this.#refusals - 1), LONGEST_ROUND_MS);
    const asked = readRetryAfter(error.retryAfter, now());
    this.limit.pause(Math.min(Math.max(backOff, asked), policy.longestPauseMs));
  }

  #refusesAll(): boolean {
    return this.#refusals >= this.options.retries.policy.busyTries;
  }

  /** A single failure says nothing about the server when others were answered meanwhile. */
  #giveUp(error: ServerError, startedAt: number): void {
    if (this.#answeredAt >= startedAt && !this.#refusesAll()) return;
    this.#refusals = 0;
    const { silenceMs } = this.options;
    // An owner can make files on the storage server that hang, which must not affect the others.
    if (silenceMs === 0 && error.failure === 'slow') return;
    this.limit.rejectWaiting(error);
    if (silenceMs > 0) this.#silent = { until: performance.now() + silenceMs, error };
  }

  #failWhileSilent(): void {
    if (this.#silent === null) return;
    if (performance.now() < this.#silent.until) throw this.#silent.error;
    this.#silent = null;
  }
}

function isOverload({ failure }: ServerError): boolean {
  return failure === 'unavailable' || failure === 'slow';
}
