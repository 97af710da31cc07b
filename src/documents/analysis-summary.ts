import { z } from 'zod';
import {
  cohortSchema,
  commonSchemas,
  type ResultsDocument,
  resultsDocumentSchema,
} from './results-document.js';

/** What the history keeps of an analysis when its run documents are gone: the cohort and counts. It names no Pod. */
const { timestamp, count } = commonSchemas;

const runCounts = {
  run_id: resultsDocumentSchema.shape.run_id,
  warnings: count,
  /** Recipients that a document of this run did not reach. */
  failed_deliveries: count,
};

/** The line of one run. */
export const runSummarySchema = z.object({
  ...runCounts,
  generated_at: timestamp,
  cohort: cohortSchema,
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** An analysis with the runs of its callers, the newest first. */
export type AnalysisSummary = Pick<RunSummary, 'generated_at' | 'cohort'> & {
  runs: Pick<RunSummary, keyof typeof runCounts>[];
};

export function summariseRun(document: ResultsDocument): RunSummary {
  const { run_id, generated_at, cohort, warnings, sharing } = document;
  const failures = sharing.published.map((record) => Object.keys(record.failures).length);
  return {
    run_id,
    generated_at,
    cohort,
    warnings: warnings.length,
    failed_deliveries: failures.reduce((sum, failed) => sum + failed, 0),
  };
}
