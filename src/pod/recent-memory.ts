/**
 * What was learned by its name, until a whole run has not asked for it. Nothing is gone through
 * at the end of a run: tens of thousands of names would keep the thread for too long.
 */
export class RecentMemory<T> {
  readonly #most: number;
  #current = new Map<string, T>();
  #previous = new Map<string, T>();

  /** Anybody can fill an inbox; what comes beyond `most` is learned anew in every run. */
  constructor(most: number) {
    this.#most = most;
  }

  recall(name: string): T | undefined {
    const memory = this.#current.has(name) ? this.#current : this.#previous;
    const known = memory.get(name);
    if (known !== undefined) this.remember(name, known);
    return known;
  }

  remember(name: string, value: T): void {
    if (this.#current.size < this.#most) this.#current.set(name, value);
  }

  /** What was not asked for since the last end is forgotten. */
  endRun(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  clear(): void {
    this.#current.clear();
    this.#previous.clear();
  }
}
