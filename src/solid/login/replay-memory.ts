/**
 * Remembers what may be used only once, for as long as it could be used again. What does not
 * fit is refused rather than something else forgotten, so that nobody can push a proof out to
 * use it a second time.
 */
export class ReplayMemory {
  /** The order in which entries are made is the one in which they end. */
  readonly #endOf = new Map<string, number>();

  constructor(
    private readonly lifetimeMs: number,
    private readonly maxEntries: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Answers whether this is the first use. */
  use(id: string): boolean {
    const now = this.now();
    for (const [old, end] of this.#endOf) {
      if (end > now) break;
      this.#endOf.delete(old);
    }
    if (this.#endOf.has(id) || this.#endOf.size >= this.maxEntries) return false;
    this.#endOf.set(id, now + this.lifetimeMs);
    return true;
  }
}
