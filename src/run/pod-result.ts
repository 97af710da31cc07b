import { type AnalysisRules, mergeAggregates } from '../analysis/pod-aggregate.js';
import type { Reading } from '../analysis/reading.js';
import { summarisePod } from '../analysis/summarise-pod.js';
import type { PodSummary } from '../analysis/summary.js';
import type { Owner } from '../pod/pod-of-resource.js';
import type { FileTrace, PodPart } from './read-parts.js';

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
