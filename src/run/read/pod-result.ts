import {
  type AnalysisRules,
  mergeAggregates,
  type PodAggregate,
} from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import { summarisePod } from '../../analysis/summarise-pod.js';
import type { PodSummary } from '../../analysis/summary.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { NotRead } from '../../pod/read-resource.js';

/** What is left of the files of a Pod, or of some of them, once they have been read. */
export interface PodPart {
  filesRead: number;
  filesSkipped: number;
  aggregate: PodAggregate;
  /** The readings behind the figures, of the Pods whose chart is drawn; empty for the others. */
  readings: Reading[];
  /** Skipped because the Analyser may do more than read them. */
  readOnlyWanted: number;
  /** Skipped because their server gave no answer: they could be there. */
  unanswered: number;
  /** What came of each file. */
  traces: FileTrace[];
  /** About skipped files, as far as that is of use. */
  warnings: string[];
  /** So many more were left out. */
  moreWarnings: number;
}

export type FileTrace =
  | {
      url: string;
      outcome: 'read';
      /** Null for what is not encrypted. */
      key: Buffer | null;
      /** The folder whose key it is; null for a key that was shared for the file itself. */
      folder: string | null;
    }
  | { url: string; outcome: NotRead };

/** What the reading of one Pod came to, whoever did it. */
export interface PodResult {
  owner: Owner;
  filesRead: number;
  filesSkipped: number;
  summary: PodSummary;
  /** The readings behind the figures, of the Pods whose chart is drawn; empty for the others. */
  readings: Reading[];
  /** Files skipped because the Analyser may do more than read them. */
  readOnlyWanted: number;
  /** Files skipped because their server gave no answer. */
  unanswered: number;
  /** What came of each file. */
  traces: FileTrace[];
  warnings: string[];
}

/** `parts` in the order of their files. */
export function podResult(
  owner: Owner,
  parts: readonly PodPart[],
  rules: Pick<AnalysisRules, 'windowDays'>,
): PodResult {
  const filesSkipped = parts.reduce((sum, part) => sum + part.filesSkipped, 0);
  const more = parts.reduce((sum, { moreWarnings }) => sum + moreWarnings, 0);
  return {
    owner,
    filesRead: parts.reduce((sum, part) => sum + part.filesRead, 0),
    filesSkipped,
    summary: summarisePod(mergeAggregates(parts.map(({ aggregate }) => aggregate)), rules),
    readings: parts.flatMap(({ readings }) => readings),
    readOnlyWanted: parts.reduce((sum, part) => sum + part.readOnlyWanted, 0),
    unanswered: parts.reduce((sum, part) => sum + part.unanswered, 0),
    traces: parts.flatMap(({ traces }) => traces),
    warnings: [
      ...parts.flatMap(({ warnings }) => warnings),
      ...(more === 0 ? [] : [`… and ${more} more files of ${owner.webId} (skipped)`]),
    ],
  };
}
