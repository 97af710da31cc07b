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
  filesRead: number;
  filesSkipped: number;
  aggregate: PodAggregate;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: Reading[];
  /** Files skipped because the Analyser may do more than read them. */
  readOnlyWanted: number;
  /** Files skipped because their server gave no answer. */
  unanswered: number;
  traces: FileTrace[];
  /** About skipped files, up to a useful number. */
  warnings: string[];
  /** How many more warnings were left out. */
  moreWarnings: number;
}

export type FileTrace =
  | {
      url: string;
      outcome: 'read';
      /** Null for a file that is not encrypted. */
      key: Buffer | null;
      /** The folder that the key belongs to; null for a key shared for the file itself. */
      folder: string | null;
    }
  | { url: string; outcome: NotRead };

/** The result of reading one Pod, in this process or by workers. */
export interface PodResult extends Omit<PodPart, 'aggregate' | 'moreWarnings'> {
  owner: Owner;
  summary: PodSummary;
}

/** Puts the parts of a Pod together; `parts` are in the order of their files. */
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
