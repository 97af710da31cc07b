import {
  type AnalysisRules,
  mergeAggregates,
  type PodAggregate,
} from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import { type PodSummary, summarisePod } from '../../analysis/summarise-pod.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { NotRead } from '../../pod/read-resource.js';

/** What was read from the files of a Pod, or from some of them. */
export interface PodPart {
  aggregate: PodAggregate;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: Reading[];
  traces: FileTrace[];
  /** About skipped files, up to a useful number. */
  warnings: string[];
  /** How many more warnings were left out. */
  moreWarnings: number;
}

/**
 * `unanswered`: its server gave no answer. `read-only wanted`: the Analyser may do more than read
 * the file.
 */
export type NotCounted = NotRead | 'unanswered' | 'read-only wanted';

/** `isAnnounced` is that of the file. */
export type FileTrace = { url: string; isAnnounced: boolean } & (
  | {
      outcome: 'read';
      /** Null for a file that is not encrypted. */
      key: Buffer | null;
      /** The folder that the key belongs to; null for a key shared for the file itself. */
      folder: string | null;
    }
  | { outcome: NotCounted }
);

/** Whether its owner has taken back the share together with its entry, so that nobody misses it. */
export function isTakenBack({ isAnnounced, outcome }: FileTrace): boolean {
  return !isAnnounced && (outcome === 'refused' || outcome === 'unopened');
}

/** The result of reading one Pod, in this process or by workers. */
export interface PodResult extends Omit<PodPart, 'aggregate' | 'moreWarnings'> {
  owner: Owner;
  summary: PodSummary;
  filesRead: number;
  filesSkipped: number;
  /** Files skipped because the Analyser may do more than read them. */
  readOnlyWanted: number;
  /** Files skipped because their server gave no answer. */
  unanswered: number;
}

/** Puts the parts of a Pod together; `parts` are in the order of their files. */
export function podResult(
  owner: Owner,
  parts: readonly PodPart[],
  rules: Pick<AnalysisRules, 'windowDays'>,
): PodResult {
  const traces = parts.flatMap((part) => part.traces);
  const count = (wanted: FileTrace['outcome']) =>
    traces.filter(({ outcome }) => outcome === wanted).length;
  const filesRead = count('read');
  const more = parts.reduce((sum, { moreWarnings }) => sum + moreWarnings, 0);
  return {
    owner,
    filesRead,
    filesSkipped: traces.length - filesRead - traces.filter(isTakenBack).length,
    summary: summarisePod(mergeAggregates(parts.map(({ aggregate }) => aggregate)), rules),
    readings: parts.flatMap(({ readings }) => readings),
    readOnlyWanted: count('read-only wanted'),
    unanswered: count('unanswered'),
    traces,
    warnings: [
      ...parts.flatMap(({ warnings }) => warnings),
      ...(more === 0 ? [] : [`… and ${more} more files of ${owner.webId} (skipped)`]),
    ],
  };
}
