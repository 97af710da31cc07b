import { z } from 'zod';
import { commonSchemas, latestAverages } from './results-document.js';

const { timestamp, readingTime, figures, measures, count, period } = commonSchemas;

const publishedCohort = z.object({
  pod_count: count,
  average_of_averages: figures,
  pooled_average: figures,
});

const common = {
  schema_version: z.literal(1),
  generated_at: timestamp,
  analyser_web_id: z.string(),
  period: period.optional(),
  cohort_noise: figures.optional().describe('To either side, nineteen times of twenty.'),
  units: z.object({ systolic: z.string(), diastolic: z.string(), heart_rate: z.string() }),
};

/** <app_dir>/data/analyser/<pod_id>/bp-average.json.enc.ttl, decrypted. */
export const podAverageSchema = z.object({
  ...common,
  kind: z.literal('pod-average'),
  average: figures,
  /** Results of earlier versions lack the optional fields. */
  pod: z.object({
    observation_count: count,
    measures,
    files_read: count,
    files_skipped: count,
    first_observation: readingTime.nullable().optional(),
    last_observation: readingTime.nullable().optional(),
    ...latestAverages,
    notes: z.array(z.string()).optional().describe('Which readings were left out, and why.'),
  }),
  /** A figure is null if the recipient may not see it, for example with sharing.share_cohort_average: false. */
  cohort: publishedCohort,
  chart: z
    .object({ format: z.literal('png'), encoding: z.literal('base64'), data: z.base64() })
    .optional(),
});
export type PodAverageDocument = z.infer<typeof podAverageSchema>;

/** <app_dir>/data/analyser/cohort/bp-cohort-average.json.enc.ttl, decrypted. */
export const cohortAverageSchema = z.object({
  ...common,
  kind: z.literal('cohort-average'),
  cohort: publishedCohort,
});
export type CohortAverageDocument = z.infer<typeof cohortAverageSchema>;
