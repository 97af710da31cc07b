/** Runs a limited number of tasks at once; the others wait in order of arrival. */
export class ConcurrencyLimit {
  #running = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(private readonly most: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The next task takes over the place.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
