import { emptyRecord, type ReleaseRecord } from '../analysis/release/release-record.js';
import type { CountedFigures } from '../analysis/summarise-cohort.js';

/** A file or folder that was read and has not ended since. */
export interface RememberedShare {
  /** Canonical; a folder's ends in a slash. */
  url: string;
  /** The one key that opened the file, or a file of the folder; null when nothing was encrypted. */
  key: Buffer | null;
  /** The days, since 1970, on which it was asked for and missing after it was last read. */
  missingOn: readonly number[];
}

/** The figures with which a Pod last counted. */
export interface RememberedFigures extends CountedFigures {
  /** Days since 1970. */
  day: number;
  /** A digest of the rules they were made under. */
  rules: string;
}

/** A Pod of which something is shared. */
export interface RememberedPod {
  /** Canonical. */
  root: string;
  /** By address, oldest first. */
  shares: ReadonlyMap<string, RememberedShare>;
  /** Null until it first counts, and again from a revocation until everything that is left was read. */
  figures: RememberedFigures | null;
  /** For how many analyses in succession there was no time for all of it. */
  waited: number;
}

/** `refused`: another Pod had the key first, or at the same time, so files that it opens here do not count. */
export type Claim = 'own' | 'refused';

/** Everything that outlasts an analysis. */
export interface Memory {
  /** Why cohort figures are withheld until the operator confirms; null when they are not. */
  withheld: string | null;
  /** By root. */
  pods: ReadonlyMap<string, RememberedPod>;
  /**
   * Whose key is whose, by a keyed digest of the root: the keyed digests of the keys that opened files of
   * the Pod, oldest first. They outlast its shares, and being forgotten: otherwise a copy of a file
   * would count in another Pod.
   */
  claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>;
  releases: ReleaseRecord;
  /**
   * The keys of published documents that were encrypted before keys were derived, by a keyed digest of the
   * path: readers hold these, and do not ask for others.
   */
  earlierKeys: ReadonlyMap<string, Buffer>;
  /** What a later version has added and must find again. */
  later: Readonly<Record<string, unknown>>;
}

/** Keys beyond this number are looked up in each analysis. */
export const MOST_EARLIER_KEYS = 10_000;

export function emptyMemory(): Memory {
  return {
    withheld: null,
    pods: new Map(),
    claims: new Map(),
    releases: emptyRecord(),
    earlierKeys: new Map(),
    later: {},
  };
}
