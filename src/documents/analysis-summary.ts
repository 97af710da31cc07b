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

export const runSummarySchema = z.object({
  ...runCounts,
  generated_at: timestamp,
  cohort: cohortSchema,
  /** The WebID of the Analyser, where its analysis sent a figure of the cohort that is not null; else absent. */
  sent_by: z.string().optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** By itself, so that a line without a figure still tells that figures were sent. */
export const sentSchema = runSummarySchema.pick({ sent_by: true });

/** An analysis with the runs of its callers, the newest first. */
export type AnalysisSummary = Pick<RunSummary, 'generated_at' | 'cohort'> & {
  runs: Pick<RunSummary, keyof typeof runCounts>[];
};

type Runs = AnalysisSummary['runs'];

/** The runs of an analysis have most of their warnings in common. */
export function warningsOf(runs: Runs): number {
  return Math.max(0, ...runs.map(({ warnings }) => warnings));
}

/** Each run tells of the deliveries to its own caller. */
export function failedDeliveriesOf(runs: Runs): number {
  return runs.reduce((sum, { failed_deliveries }) => sum + failed_deliveries, 0);
}

export function summariseRun(document: ResultsDocument, hasSentFigures: boolean): RunSummary {
  const { run_id, generated_at, cohort, warnings, sharing, analyser } = document;
  const failures = sharing.published.map((record) => Object.keys(record.failures).length);
  return {
    // First, so that a torn line has it.
    ...(hasSentFigures && { sent_by: analyser.web_id }),
    run_id,
    generated_at,
    cohort,
    warnings: warnings.length,
    failed_deliveries: failures.reduce((sum, failed) => sum + failed, 0),
  };
}
