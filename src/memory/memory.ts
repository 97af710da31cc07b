import type { NoiseRelease } from '../analysis/release/noise.js';
import type { CountedSums } from '../analysis/sums.js';

/** A file that was read, by itself or through its folder, and has not ended since. */
export interface RememberedShare {
  /** Canonical. */
  url: string;
  /**
   * The one key that opened the file. Null when it was not encrypted, and when it takes the key that its folder is
   * remembered with.
   */
  ownKey: Buffer | null;
  /** The days, since 1970, on which the share was asked for and was missing. Empty again after an answer. */
  missingOn: readonly number[];
}

/** The sums with which a Pod last counted. */
export interface RememberedSums extends CountedSums {
  /** Days since 1970. */
  day: number;
  /** A digest of the rules under which the sums were made. */
  rules: string;
}

/** A Pod of which something is shared. */
export interface RememberedPod {
  /** Canonical. */
  root: string;
  /** By address. */
  shares: ReadonlyMap<string, RememberedShare>;
  /**
   * Folders in which new files are looked for, in the order in which they were remembered, each with the key of the
   * files that take it from there; null while none of them is encrypted. What becomes of a folder ends no share.
   */
  folders: ReadonlyMap<string, Buffer | null>;
  /**
   * Null until the Pod first counts. Null again after a revocation, or after `forget` of some of its shares, until the
   * Pod counts again.
   */
  sums: RememberedSums | null;
}

/**
 * Which Pods had each key first, by keyed digests of the key and of the roots of Pods. With one Pod, the key is its own.
 * Several Pods that had it first in the same analysis contest it: then it counts in none of them. Claims outlast the
 * shares and the Pods that are forgotten: otherwise a copied file would be decrypted for the person who copied it.
 */
export type Claims = ReadonlyMap<string, readonly string[]>;

/** Everything that outlasts an analysis. */
export interface Memory {
  /** Why cohort figures are withheld until the operator confirms; null when they are not withheld. */
  withheld: string | null;
  /** By root. */
  pods: ReadonlyMap<string, RememberedPod>;
  claims: Claims;
  /** The cohort figures that were released with noise, oldest first. */
  releases: readonly NoiseRelease[];
  /**
   * The keys of documents that were first published before the service derived keys from paths, by a keyed digest of
   * the path. Readers hold these keys and do not look for new ones.
   */
  earlierKeys: ReadonlyMap<string, Buffer>;
}

/** More were never published by one Analyser; the rest of such a list is not taken over. */
export const MOST_EARLIER_KEYS = 10_000;

export function emptyMemory(): Memory {
  return {
    withheld: null,
    pods: new Map(),
    claims: new Map(),
    releases: [],
    earlierKeys: new Map(),
  };
}

/** Keyed digests: equal for equal values, and meaningless without the key. */
export type KeyedDigest = (
  kind: 'key' | 'root' | 'path' | 'order',
  value: string | Buffer,
) => string;

const DIGEST_BYTES = 16;

/** `fingerprint` is keyed. */
export function keyedDigests(fingerprint: (text: string) => Buffer): KeyedDigest {
  return (kind, value) => {
    const text = typeof value === 'string' ? value : value.toString('base64');
    return fingerprint(`${kind} ${text}`).subarray(0, DIGEST_BYTES).toString('base64url');
  };
}
