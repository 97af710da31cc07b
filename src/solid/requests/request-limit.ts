import { ConcurrencyLimit } from '../../base/concurrency.js';

/** How many requests may be in flight at one server: at the start, and at most. */
export interface RequestBounds {
  start: number;
  max: number;
}

/**
 * Limits how many requests one server gets at once. The limit doubles with each round of answers until the
 * first overload; then it grows by one with each round. It halves after each overload.
 */
export class RequestLimit extends ConcurrencyLimit {
  #allowed: number;
  readonly #max: number;
  #lastCut = Number.NEGATIVE_INFINITY;

  constructor({ start, max }: RequestBounds) {
    super(start);
    this.#allowed = start;
    this.#max = max;
  }

  answered(): void {
    if (!this.hasWaiting) return;
    const isRamping = this.#lastCut === Number.NEGATIVE_INFINITY;
    this.#allow(this.#allowed + (isRamping ? 1 : 1 / this.#allowed));
  }

  /** Halves the limit, unless the request was sent before the last halving; returns whether it halved. */
  overloaded(sentAt: number): boolean {
    if (sentAt < this.#lastCut) return false;
    this.#lastCut = performance.now();
    this.#allow(this.size / 2);
    return true;
  }

  #allow(allowed: number): void {
    this.#allowed = Math.min(Math.max(allowed, 1), this.#max);
    this.size = Math.floor(this.#allowed);
  }
}
