import { emptyRecord, type ReleaseRecord } from '../analysis/release/release-record.js';
import type { CountedFigures } from '../analysis/summarise-cohort.js';

/** A file or folder that was read and has not ended since. */
export interface RememberedShare {
  /** Canonical; a folder's ends in a slash. */
  url: string;
  /** The one key that opened the file, or a file of the folder; null when nothing was encrypted. */
  key: Buffer | null;
  /** The days since 1970 on which it was asked for and missing, since it was last read. */
  missingOn: readonly number[];
  /** The last analysis had no time for it. */
  wasNotAsked: boolean;
}

/** The figures with which a Pod last counted. */
export interface RememberedFigures extends CountedFigures {
  /** Days since 1970. */
  day: number;
  /** A digest of the rules they were made under. */
  rules: string;
}

export interface RememberedPod {
  /** Canonical. */
  root: string;
  /** The root as the first entry that opened anything of the Pod spelled it. */
  spelling: string;
  /** By address, oldest first. */
  shares: ReadonlyMap<string, RememberedShare>;
  figures: RememberedFigures | null;
  /**
   * Keyed digests of keys that opened files of this Pod, oldest first. `own`: no other Pod had it
   * before. `refused`: another Pod had, so what it opens here does not count.
   */
  keys: ReadonlyMap<string, 'own' | 'refused'>;
}

/** Everything that outlasts an analysis. */
export interface Memory {
  /** Why cohort figures are withheld until the operator confirms; null when they are not. */
  withheld: string | null;
  /** By root. */
  pods: ReadonlyMap<string, RememberedPod>;
  releases: ReleaseRecord;
  /** Keyed digests of the pod_ids that were given, with that of the root of the Pod that has it. */
  podIds: ReadonlyMap<string, string>;
}

export function emptyMemory(): Memory {
  return { withheld: null, pods: new Map(), releases: emptyRecord(), podIds: new Map() };
}
