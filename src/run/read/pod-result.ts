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
export interface PodResult extends Omit<PodPart, 'aggregate' | 'moreWarnings'> {
  owner: Owner;
  summary: PodSummary;
}

/** `parts` in the order of their files. */
export function podResult(
  owner: Owner,
  parts: readonly PodPart[],
  rules: Pick<AnalysisRules, 'windowDays'>,
): PodResult {
  const sum = (count: (part: PodPart) => number) =>
    parts.reduce((total, part) => total + count(part), 0);
  const more = sum(({ moreWarnings }) => moreWarnings);
  return {
    owner,
    filesRead: sum(({ filesRead }) => filesRead),
    filesSkipped: sum(({ filesSkipped }) => filesSkipped),
    summary: summarisePod(mergeAggregates(parts.map(({ aggregate }) => aggregate)), rules),
    readings: parts.flatMap(({ readings }) => readings),
    readOnlyWanted: sum(({ readOnlyWanted }) => readOnlyWanted),
    unanswered: sum(({ unanswered }) => unanswered),
    traces: parts.flatMap(({ traces }) => traces),
    warnings: [
      ...parts.flatMap(({ warnings }) => warnings),
      ...(more === 0 ? [] : [`… and ${more} more files of ${owner.webId} (skipped)`]),
    ],
  };
}
