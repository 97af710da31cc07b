import { onAbort } from './link-signals.js';

/** So many answers that are not small may be in memory at once, each at most as long as is asked for. */
const LARGE_AT_ONCE = 3;

/**
 * The room for large answers: what is made of them, text and readings, takes several times their
 * size. An answer that turns out to be large waits here for a place, and its server meanwhile.
 */
export class LargeAnswers {
  #free = LARGE_AT_ONCE;
  readonly #waiting: (() => void)[] = [];

  /** Answers what gives the place back; rejects when the wait is aborted. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack();
      isTaken = false;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        unfollow();
        resolve();
      };
      const unfollow = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        const reason: unknown = signal.reason;
        reject(reason);
      });
      this.#waiting.push(admit);
    });
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
