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
    else if (!(await this.#wait(signal))) signal.throwIfAborted();
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack();
      isTaken = false;
    };
  }

  /** False when it was given up. */
  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        resolve(false);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', abort);
        resolve(true);
      };
      this.#waiting.push(admit);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
