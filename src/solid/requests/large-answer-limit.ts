import { onAbort } from './link-signals.js';

/** How many large answers may be in memory at once; each is at most as long as its request allows. */
const LARGE_AT_ONCE = 3;

/**
 * Limits how many large answers are in memory at once, because the text and readings made of one
 * take several times its size. An answer that turns out to be large waits here, half received.
 */
export class LargeAnswerLimit {
  #free = LARGE_AT_ONCE;
  readonly #waiting: (() => void)[] = [];

  /** Returns the function that gives the place back; rejects when the wait is aborted. */
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
