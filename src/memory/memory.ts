import { emptyRecord, type ReleaseRecord } from '../analysis/release/release-record.js';
import type { CountedFigures } from '../analysis/summarise-cohort.js';

/** A share, of a file or a folder, that was read and has not ended since. */
export interface RememberedShare {
  /** Canonical; a folder's ends in a slash. */
  url: string;
  /** The one key that opened the file, or a file of the folder; null when nothing was encrypted. */
  key: Buffer | null;
  /** The days, since 1970, on which the share was asked for and was missing. Empty again after an answer. */
  missingOn: readonly number[];
  /** It was left out by the configuration and had no entry, and it has not been asked for since. */
  isSetAside?: true;
}

/** The figures with which a Pod last counted. */
export interface RememberedFigures extends CountedFigures {
  /** Days since 1970. */
  day: number;
  /** A digest of the rules under which the figures were made. */
  rules: string;
}

/** A Pod of which something is shared. */
export interface RememberedPod {
  /** Canonical. */
  root: string;
  /** By address, oldest first. */
  shares: ReadonlyMap<string, RememberedShare>;
  /**
   * Null until the Pod first counts. Null again after a revocation, or after `forget` of some of its shares, until the
   * Pod counts again.
   */
  figures: RememberedFigures | null;
  /** For how many analyses in succession there was no time for all of the Pod. */
  waited: number;
}

/**
 * `own`: the key opened a file that counts. `refused`: the files of this Pod with this key do not count, because another
 * Pod had the key first or at the same time, or because the key belongs to an outer folder.
 */
export type Claim = 'own' | 'refused';

/** Everything that outlasts an analysis. */
export interface Memory {
  /** Why cohort figures are withheld until the operator confirms; null when they are not withheld. */
  withheld: string | null;
  /** By root. */
  pods: ReadonlyMap<string, RememberedPod>;
  /**
   * Which Pod owns which key. The keys of the outer map are keyed digests of the roots of Pods. The keys of the inner
   * map are keyed digests of the keys of the Pod's files, oldest first. Claims stay when the shares end and
   * when the Pod is forgotten: otherwise a copy of a file would count in another Pod.
   */
  claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>;
  releases: ReleaseRecord;
  /**
   * The keys of documents that were first published before the service derived keys from paths, by a keyed digest of
   * the path. Readers hold these keys and do not look for new ones.
   */
  earlierKeys: ReadonlyMap<string, Buffer>;
  /** Fields that a later version of the service has added and must find again. */
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
