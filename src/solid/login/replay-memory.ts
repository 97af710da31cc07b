/**
 * Remembers ids that may be used only once, for as long as they are valid. When it is full, new ids
 * are refused, so that nobody can push out an old one to use it again.
 */
export class ReplayMemory {
  /** Entries expire in the order in which they were made. */
  readonly #endOf = new Map<string, number>();

  constructor(
    private readonly lifetimeMs: number,
    private readonly maxEntries: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Returns whether this is the first use. */
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
