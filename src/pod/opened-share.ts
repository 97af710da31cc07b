/** What one share of an inbox says, once its values have been opened. */
export type OpenedShare = {
  /** Values that were opened for it. */
  values: number;
} & (
  | {
      /** Canonical. */
      url: string;
      /** Its id is the one the app computes from the address it carries. */
      genuine: boolean;
      /** Null when it was not wanted, so that they stayed sealed. */
      keys: Buffer[] | null;
      /** Null when nobody asked. */
      modes: string[] | null;
    }
  | {
      id: string;
      /** Words that go after the entry's name. */
      problem: string;
    }
);

/** Anybody can fill an inbox; what comes beyond this is opened anew in every run. */
const MOST_REMEMBERED = 100_000;

/** What has been opened, by the name of the entry: the same text says the same for ever. */
export class OpenedShares {
  #known = new Map<string, OpenedShare>();

  recall(name: string): OpenedShare | undefined {
    return this.#known.get(name);
  }

  remember(name: string, share: OpenedShare): void {
    if (this.#known.size < MOST_REMEMBERED) this.#known.set(name, share);
  }

  /** Forgets what stands in the inbox no longer. */
  keepOnly(names: Iterable<string>): void {
    const known = new Map<string, OpenedShare>();
    for (const name of names) {
      const share = this.#known.get(name);
      if (share !== undefined) known.set(name, share);
    }
    this.#known = known;
  }

  clear(): void {
    this.#known.clear();
  }
}
