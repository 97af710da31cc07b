import type { LedgerRecord } from './ledger-records.js';
import type { LedgerSeal } from './ledger-seal.js';

/** A share that was read and has not ended since. */
export interface KeptShare {
  /** Canonical. */
  url: string;
  /** The address as its owner writes it. */
  spelling: string;
  /** The key that opened the file, or a file of the folder; null when it is not encrypted. */
  key: Buffer | null;
}

interface Place {
  stamp: number;
  pod: string;
  keyTag: string | null;
  /** Null when the share has ended. */
  share: KeptShare | null;
}

/** Sorts after every digest, so of two records with one stamp the ending wins. */
const RANK_OF_ENDING = '\uffff';

interface Claim {
  pod: string;
  stamp: number;
  released: boolean;
}

export class LedgerState {
  /** Higher than the stamp of any record. */
  nextStamp = 1;
  readonly #places = new Map<string, Place>();
  readonly #claims = new Map<string, Claim[]>();
  /** The number of records about each Pod. */
  readonly #sizes = new Map<string, number>();

  constructor(private readonly seal: Pick<LedgerSeal, 'tag'>) {}

  apply(record: LedgerRecord): void {
    this.nextStamp = Math.max(this.nextStamp, record.stamp + 1);
    const { stamp, pod } = record;
    if (record.kind === 'claim' || record.kind === 'release') {
      this.#claim(record.keyTag, { pod, stamp, released: record.kind === 'release' });
      return;
    }
    const isShare = record.kind === 'share';
    const keyTag = isShare ? record.key && this.keyTag(record.key) : record.keyTag;
    const place = isShare ? this.seal.tag('place', record.url) : record.place;
    if (keyTag !== null) this.#claim(keyTag, { pod, stamp, released: false });
    const known = this.#places.get(place);
    const share = isShare ? { url: record.url, spelling: record.spelling, key: record.key } : null;
    const said = { stamp, pod, keyTag, share };
    if (known === undefined) this.#count(pod);
    else if (!isLater(said, known)) return;
    this.#places.set(place, said);
  }

  keyTag(key: Buffer): string {
    return this.seal.tag('key', key);
  }

  *shares(): Generator<KeptShare & { pod: string }> {
    for (const { share, pod } of this.#places.values()) if (share !== null) yield { ...share, pod };
  }

  find(url: string): KeptShare | null {
    return this.#places.get(this.seal.tag('place', url))?.share ?? null;
  }

  /** The tag of the key that last opened it, even when the share has ended. */
  lastKeyTag(url: string): string | null {
    return this.#places.get(this.seal.tag('place', url))?.keyTag ?? null;
  }

  /** The Pods in which the key has opened a file. */
  ownersOf(keyTag: string): string[] {
    const claims = this.#claims.get(keyTag) ?? [];
    return claims.filter(({ released }) => !released).map(({ pod }) => pod);
  }

  /** Records that end these shares, where they exist. */
  *endings(stamp: number, urls: readonly string[]): Generator<LedgerRecord> {
    for (const url of urls) {
      const place = this.seal.tag('place', url);
      const known = this.#places.get(place);
      if (!known?.share) continue;
      yield { kind: 'ended', stamp, pod: known.pod, place, keyTag: known.keyTag };
    }
  }

  /** Records that take back the Pod's claims on keys that others claim too; all claims for null. */
  *releases(stamp: number, pod: string | null): Generator<LedgerRecord> {
    for (const keyTag of this.#claims.keys()) {
      const owners = this.ownersOf(keyTag);
      for (const one of owners) {
        if (pod !== null && (one !== pod || owners.length === 1)) continue;
        yield { kind: 'release', stamp, pod: one, keyTag };
      }
    }
  }

  /** An upper bound of the number of records. */
  get size(): number {
    let size = 0;
    for (const count of this.#sizes.values()) size += count;
    return size;
  }

  sizeOf(pod: string): number {
    return this.#sizes.get(pod) ?? 0;
  }

  /** The smallest set of records with the same meaning. */
  *records(): Generator<LedgerRecord> {
    const said = new Set<string>();
    for (const [place, { stamp, pod, keyTag, share }] of this.#places) {
      if (keyTag !== null) said.add(pod + keyTag);
      if (share === null) yield { kind: 'ended', stamp, pod, place, keyTag };
      else yield { kind: 'share', stamp, pod, ...share };
    }
    for (const [keyTag, claims] of this.#claims) {
      for (const { pod, stamp, released } of claims) {
        if (released) yield { kind: 'release', stamp, pod, keyTag };
        else if (!said.has(pod + keyTag)) yield { kind: 'claim', stamp, pod, keyTag };
      }
    }
  }

  #claim(keyTag: string, claim: Claim): void {
    const claims = this.#claims.get(keyTag);
    if (claims === undefined) {
      this.#claims.set(keyTag, [claim]);
      this.#count(claim.pod);
      return;
    }
    const known = claims.find(({ pod }) => pod === claim.pod);
    if (known === undefined) {
      claims.push(claim);
      this.#count(claim.pod);
    } else if (claim.stamp > known.stamp || (claim.stamp === known.stamp && claim.released)) {
      Object.assign(known, claim);
    }
  }

  #count(pod: string): void {
    this.#sizes.set(pod, this.sizeOf(pod) + 1);
  }
}

/** Two machines can give the same stamp; any rule will do as long as all follow it. */
function isLater(one: Place, other: Place): boolean {
  return one.stamp === other.stamp ? rankOf(one) > rankOf(other) : one.stamp > other.stamp;
}

function rankOf({ keyTag, share }: Place): string {
  return share === null ? RANK_OF_ENDING : `${keyTag ?? ''}${share.spelling}`;
}
