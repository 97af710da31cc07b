import { onAbort } from './link-signals.js';

/** Requests in flight at one server. */
export interface RequestBounds {
  start: number;
  max: number;
}

interface Waiting {
  admit: () => void;
  reject: (reason: Error) => void;
}

/**
 * Limits how many requests one server gets at once. The limit doubles with each round of answers
 * until the first overload, then grows by one with each round, and halves after each overload.
 */
export class RequestLimit {
  // Not a Set; link-signals.ts says why.
  readonly #waiting: Waiting[] = [];
  #allowed: number;
  readonly #max: number;
  #inFlight = 0;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastCut = Number.NEGATIVE_INFINITY;

  constructor({ start, max }: RequestBounds) {
    this.#allowed = start;
    this.#max = max;
  }

  get size(): number {
    return Math.min(Math.floor(this.#allowed), this.#max);
  }

  /** Runs tasks in order of arrival; a refused one queues again at the end, behind the others. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#hasRoom() && this.#waiting.length === 0) this.#inFlight += 1;
    else await this.#wait(signal);
    try {
      return await task();
    } finally {
      this.#inFlight -= 1;
      this.#admit();
    }
  }

  answered(): void {
    if (this.#waiting.length === 0 || this.#allowed >= this.#max) return;
    const isRamping = this.#lastCut === Number.NEGATIVE_INFINITY;
    this.#allowed += isRamping ? 1 : 1 / this.#allowed;
  }

  /** Halves the limit, unless the request was sent before the last halving; returns whether it did. */
  overloaded(sentAt: number): boolean {
    if (sentAt < this.#lastCut) return false;
    this.#lastCut = performance.now();
    this.#allowed = Math.max(1, this.size / 2);
    return true;
  }

  /** Sends nothing for this long; requests in flight go on. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
    this.#admit();
  }

  /** Fails all waiting requests; later ones go one by one. */
  rejectWaiting(reason: Error): void {
    this.#lastCut = performance.now();
    this.#allowed = 1;
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }

  #hasRoom(): boolean {
    return this.#inFlight < this.size && performance.now() >= this.#pausedUntil;
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#hasRoom()) this.#waiting.shift()?.admit();
    const remainingMs = this.#pausedUntil - performance.now();
    if (this.#waiting.length === 0 || remainingMs <= 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#admit();
    }, Math.ceil(remainingMs));
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        admit: () => {
          unfollow();
          this.#inFlight += 1;
          resolve();
        },
        reject: (reason) => {
          unfollow();
          reject(reason);
        },
      };
      const unfollow = onAbort(signal, () => {
        const position = this.#waiting.indexOf(waiting);
        if (position !== -1) this.#waiting.splice(position, 1);
        const reason: unknown = signal.reason;
        reject(reason);
      });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }
}
