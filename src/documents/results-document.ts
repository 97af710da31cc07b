import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true });

/** Most readings have the time that a clock showed, but not the zone of this clock. No zone is added to them. */
const readingTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?)?$/)
  .describe(
    'By the clock of the reading: with an offset only where its text has one, and a day alone where it shows no clock.',
  );

function perMeasure<T extends z.ZodType>(value: T) {
  return z.object({ systolic: value, diastolic: value, heart_rate: value });
}

const figures = perMeasure(z.number().nullable());

const count = z.int().min(0);

export const measureSchema = z.object({
  average: z.number().nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  standard_deviation: z.number().nullable(),
  count,
});

const measures = perMeasure(measureSchema);

/** The earlier figures with which a Pod counted in the cohort, because it was not read whole. */
const carriedSchema = z.object({
  /** The day of these figures: the last on which the Pod counted with the files that were read that day. */
  from: z.iso.date(),
  observation_count: count,
  measures: perMeasure(z.object({ average: z.number().nullable(), count })),
});

export const daysAverageSchema = z.object({
  from: z.iso.date(),
  to: z.iso
    .date()
    .describe('`from` to `to` are the days of `average`, by the clock of its readings.'),
  days: count,
  readings: count,
  average: figures,
  morning: figures.nullable().describe('Before noon; null below three readings.'),
  evening: figures.nullable().describe('From noon on; null below three readings.'),
  first_day_left_out: z.boolean().describe('The day before `from` that does not count.'),
});

export const latestAverages = {
  home: daysAverageSchema
    .nullable()
    .optional()
    .describe(
      'Of a week, as guidelines on readings at home take it; null where there is none within 30 days of the newest reading.',
    ),
  recent: daysAverageSchema
    .nullable()
    .optional()
    .describe(
      'Of the last days, where `home` is null: not what guidelines call the average of readings at home. Null too where no reading has a date.',
    ),
};

export const podRecordSchema = z.object({
  pod_id: z.string(),
  web_id: z.string(),
  pod_root: z.string(),
  observation_count: count,
  files_read: count,
  files_skipped: count,
  included_in_cohort: z
    .boolean()
    .describe(
      'Whether the Pod counts in the averages of the cohort; where it is carried, as `carried` says.',
    ),
  first_observation: readingTime.nullable(),
  last_observation: readingTime.nullable(),
  measures,
  /** Only for the Pods of callers. */
  ...latestAverages,
  notes: z.array(z.string()),
  carried: carriedSchema.optional(),
});
export type PodRecord = z.infer<typeof podRecordSchema>;

export const cohortSchema = z.object({
  pod_count: count,
  included_pod_count: count,
  observation_count: count,
  /** How many of the Pods count with the figures of an earlier day; absent when no Pod does. */
  carried_pod_count: count.optional(),
  average_of_averages: figures,
  pooled_average: figures,
  spread_of_averages: figures,
});

export const publishedRecordSchema = z.object({
  kind: z.enum(['pod-average', 'cohort-average']),
  /** The Pod that the document is about; `cohort` for the cohort document. */
  pod_id: z.string(),
  resource_url: z.string(),
  recipients: z.array(z.string()),
  /** Why recipients did not receive the document, by their WebIDs. */
  failures: z.record(z.string(), z.string()),
});
export type PublishedRecord = z.infer<typeof publishedRecordSchema>;

/** The cohort figures that callers were sent in place of the exact ones (sharing.cohort_release). */
export const releaseRecordSchema = z.object({
  average_of_averages: figures,
  released_at: perMeasure(timestamp.nullable()),
  /** How far, nineteen times of twenty, noise has moved a figure at most, to either side. */
  noise: figures.optional(),
  /** Why figures were withheld; null when they were not. */
  withheld: z.string().nullable(),
});
export type ReleaseRecord = z.infer<typeof releaseRecordSchema>;

const withheldSchema = z.object({
  reason: z.string(),
  until_confirmed: z
    .boolean()
    .describe(
      'Whether they stay withheld until the operator runs the mode release with --confirm.',
    ),
});
export type WithheldRecord = z.infer<typeof withheldSchema>;

/** The days or moments of analysis.from and analysis.until; absent without a study period. */
const period = z
  .object({ from: z.string().nullable(), until: z.string().nullable() })
  .describe(
    'Only readings of this time count. A day counts as a whole, by the clock of a reading.',
  );

/** The content of latest.json and run-<run_id>.json. Everything that displays results relies on this schema. */
export const resultsDocumentSchema = z.object({
  schema_version: z.literal(1),
  run_id: z.string().regex(/^\d{8}T\d{6}Z$/),
  generated_at: timestamp,
  requested_by: z.string().nullable(),
  analyser: z.object({ web_id: z.string(), app_dir_name: z.string(), server_url: z.string() }),
  analysis: z.object({
    minimum_observations: z.int(),
    window_days: z.int().nullable(),
    period: period.optional(),
  }),
  cohort: cohortSchema,
  pods: z.array(podRecordSchema),
  charts: z.object({ pods: z.record(z.string(), z.string()) }),
  sharing: z.object({
    enabled: z.boolean(),
    published: z.array(publishedRecordSchema),
    /** Absent when callers are sent the exact figures, or by the configuration no cohort figures. */
    cohort_release: releaseRecordSchema.optional(),
    /** Absent when callers are sent figures of the cohort, or by the configuration none. */
    cohort_withheld: withheldSchema.optional(),
  }),
  warnings: z.array(z.string()),
});
export type ResultsDocument = z.infer<typeof resultsDocumentSchema>;

export const commonSchemas = { timestamp, readingTime, figures, measures, count, period };
