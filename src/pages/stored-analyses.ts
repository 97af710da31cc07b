import type { AnalysisSummary } from '../documents/analysis-summary.js';

/** The analyses of which something is stored, newest first. */
export type History = readonly Pick<AnalysisSummary, 'generated_at' | 'cohort' | 'runs'>[];

type Runs = History[number]['runs'];

/** The runs of an analysis have most of their warnings in common. */
export function warningsOf(runs: Runs): number {
  return Math.max(0, ...runs.map(({ warnings }) => warnings));
}

/** Each run tells of the deliveries to its own caller. */
export function failedDeliveriesOf(runs: Runs): number {
  return runs.reduce((sum, { failed_deliveries }) => sum + failed_deliveries, 0);
}
