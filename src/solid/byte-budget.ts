/**
 * How many bytes of large answers may be in memory at once. Who does not fit waits, but for the
 * oldest, which may always go on: an answer can turn out longer than it seemed, and two that wait
 * for each other would wait for ever.
 */
export class ByteBudget {
  #taken = 0;
  /** In order of their beginning. */
  readonly #shares: ByteShare[] = [];

  constructor(private readonly bytes: number) {}

  open(): ByteShare {
    const share: ByteShare = new ByteShare(
      (bytes) => this.#mayTake(share, bytes),
      () => this.#settle(share),
    );
    this.#shares.push(share);
    return share;
  }

  async take(bytes: number): Promise<ByteShare> {
    const share = this.open();
    await new Promise<void>((resolve) => {
      if (share.take(bytes, resolve)) resolve();
    });
    return share;
  }

  #mayTake(share: ByteShare, bytes: number): boolean {
    if (this.#taken + bytes > this.bytes && this.#shares[0] !== share) return false;
    this.#taken += bytes;
    return true;
  }

  #settle(ended: ByteShare): void {
    const position = this.#shares.indexOf(ended);
    if (position === -1) return;
    this.#shares.splice(position, 1);
    this.#taken -= ended.size;
    for (const share of [...this.#shares]) share.tryAgain();
  }
}

/** What one answer takes of the budget, until it is given back. */
export class ByteShare {
  size = 0;
  #wanted: { bytes: number; granted: () => void } | null = null;

  constructor(
    private readonly mayTake: (bytes: number) => boolean,
    private readonly settle: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.#wanted !== null;
  }

  /** Answers whether it is granted at once; if not, `granted` is called when it is. */
  take(bytes: number, granted: () => void): boolean {
    if (this.mayTake(bytes)) {
      this.size += bytes;
      return true;
    }
    this.#wanted = { bytes, granted };
    return false;
  }

  tryAgain(): void {
    const wanted = this.#wanted;
    if (wanted === null || !this.mayTake(wanted.bytes)) return;
    this.size += wanted.bytes;
    this.#wanted = null;
    wanted.granted();
  }

  release(): void {
    this.#wanted = null;
    this.settle();
  }
}
