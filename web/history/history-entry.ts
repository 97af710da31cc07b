import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import type { Cohort } from '../api/guards.js';
import type { Problem } from '../api/problem.js';
import { countUndelivered } from '../attention/count-undelivered.js';
import { countWarnings } from '../warnings/group-warnings.js';

/** What the history keeps of one run: not every Pod, for many runs are held at once. */
export type HistoryEntry =
  | { runId: string; state: 'waiting' }
  | { runId: string; state: 'failed'; problem: Problem }
  | { runId: string; state: 'read'; run: HistoryRun };

export interface HistoryRun {
  runId: string;
  generatedAt: string;
  cohort: Cohort;
  /** The one Pod that was asked about; null when it is not in this run, or none was. */
  pod: PodEntry | null;
  warnings: number;
  undelivered: number;
}

export function summariseRun(results: ResultsDocument, podId: string | null): HistoryRun {
  return {
    runId: results.run_id,
    generatedAt: results.generated_at,
    cohort: results.cohort,
    pod: results.pods.find((pod) => pod.pod_id === podId) ?? null,
    warnings: countWarnings(results.warnings),
    undelivered: countUndelivered(results.sharing),
  };
}
