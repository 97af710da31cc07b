import type { ResultsDocument } from '../../src/documents/results-document.js';
import type { Cohort } from '../api/guards.js';
import type { Problem } from '../api/problem.js';
import { countWarnings } from '../warnings/group-warnings.js';

/** What the history keeps of one run; the Pods are dropped, for many runs are held at once. */
export type HistoryEntry =
  | { runId: string; state: 'waiting' }
  | { runId: string; state: 'failed'; problem: Problem }
  | { runId: string; state: 'read'; run: HistoryRun };

export interface HistoryRun {
  runId: string;
  generatedAt: string;
  cohort: Cohort;
  warnings: number;
}

export function summariseRun(results: ResultsDocument): HistoryRun {
  return {
    runId: results.run_id,
    generatedAt: results.generated_at,
    cohort: results.cohort,
    warnings: countWarnings(results.warnings),
  };
}
