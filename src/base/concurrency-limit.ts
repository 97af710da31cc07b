/** Runs so many tasks at once, the others in order of arrival. */
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
      // Whoever is next takes the place over.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
