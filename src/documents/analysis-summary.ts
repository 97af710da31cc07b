import { z } from 'zod';
import { countWarnings } from './count-warnings.js';
import {
  cohortSchema,
  documentParts,
  podEntrySchema,
  type ResultsDocument,
  resultsDocumentSchema,
} from './results-document.js';

/**
 * The summary of an analysis, which can be read without its run documents: the cohort, and the Pods that came,
 * changed and left. It does not hold the figures of Pods, because it would then be as large as the documents.
 */
const { timestamp, count } = documentParts;

const runId = resultsDocumentSchema.shape.run_id;
const podIds = z.array(z.string());

const runCounts = {
  run_id: runId,
  warnings: count,
  failed_deliveries: count.describe('Recipients that a document of this run did not reach.'),
};

const changes = {
  joined: podIds.describe('pod_ids that the analysis before did not have.'),
  left: podIds.describe('pod_ids that the analysis before had.'),
  changed: podIds.describe('pod_ids that both have, with other figures.'),
};

export const analysisSummarySchema = z.object({
  generated_at: timestamp,
  cohort: cohortSchema,
  ...changes,
  runs: z.array(z.object(runCounts)).describe('One for each caller, newest first.'),
});
export type AnalysisSummary = z.infer<typeof analysisSummarySchema>;

/** The part of one run in the summary of its analysis; only the part of the first run holds the changes of Pods. */
export const runSummarySchema = z.object({
  ...runCounts,
  generated_at: timestamp,
  cohort: cohortSchema,
  ...z.object(changes).partial().shape,
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export function summariseRun(document: ResultsDocument): RunSummary {
  const { run_id, generated_at, cohort, warnings, sharing } = document;
  const failures = sharing.published.map((entry) => Object.keys(entry.failures).length);
  return {
    run_id,
    generated_at,
    cohort,
    warnings: countWarnings(warnings),
    failed_deliveries: failures.reduce((sum, failed) => sum + failed, 0),
  };
}

/** The figures of each Pod as text, by pod_id, to compare one analysis with the next. */
export type ComparedPods = ReadonlyMap<string, string>;

export const comparedPodSchema = podEntrySchema.pick({
  pod_id: true,
  observation_count: true,
  measures: true,
  carried: true,
});

/** A carried Pod is compared by the earlier figures that it counted with, so it does not appear as changed. */
export function comparedPods(pods: readonly z.infer<typeof comparedPodSchema>[]): ComparedPods {
  return new Map(
    pods.map(({ pod_id, carried, ...read }) => {
      const { observation_count, measures } = carried ?? read;
      const { systolic, diastolic, heart_rate } = measures;
      const averages = [systolic, diastolic, heart_rate].map(({ average }) => average);
      return [pod_id, JSON.stringify([observation_count, averages])];
    }),
  );
}

/** The Pods that came, the Pods that left, and the Pods that stayed but have other figures. */
export function changesSince(before: ComparedPods, now: ComparedPods) {
  const stayed = [...now].filter(([podId]) => before.has(podId));
  return {
    joined: [...now.keys()].filter((podId) => !before.has(podId)),
    left: [...before.keys()].filter((podId) => !now.has(podId)),
    changed: stayed
      .filter(([podId, figures]) => before.get(podId) !== figures)
      .map(([podId]) => podId),
  };
}
