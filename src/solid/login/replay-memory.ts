import { hash } from 'node:crypto';

export interface ReplayLimits {
  lifetimeMs: number;
  mostOfOne: number;
}

/** Bounded for each owner, so that nobody can push out an old id to use it again, or have the ids of others refused. */
export class ReplayMemory {
  /** By digest, since an id may be long. Entries expire in the order in which they were made. */
  readonly #proofs = new Map<string, { owner: string; end: number }>();
  readonly #held = new Map<string, number>();

  constructor(
    private readonly limits: ReplayLimits,
    private readonly now: () => number = Date.now,
  ) {}

  use(owner: string, id: string): 'first' | 'again' | 'full' {
    this.#forgetExpired();
    const proof = digest(JSON.stringify([owner, id]));
    if (this.#proofs.has(proof)) return 'again';
    const holder = digest(owner);
    const held = this.#held.get(holder) ?? 0;
    if (held >= this.limits.mostOfOne) return 'full';
    this.#proofs.set(proof, { owner: holder, end: this.now() + this.limits.lifetimeMs });
    this.#held.set(holder, held + 1);
    return 'first';
  }

  #forgetExpired(): void {
    const now = this.now();
    for (const [proof, { owner, end }] of this.#proofs) {
      if (end > now) return;
      this.#proofs.delete(proof);
      const held = (this.#held.get(owner) ?? 0) - 1;
      if (held > 0) this.#held.set(owner, held);
      else this.#held.delete(owner);
    }
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
