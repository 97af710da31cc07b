import { z } from 'zod';
import {
  cohortSchema,
  commonSchemas,
  podRecordSchema,
  releaseRecordSchema,
  resultsDocumentSchema,
} from '../documents/results-document.js';
import { serviceStateSchema } from '../store/state.js';

/**
 * The schemas of the API's answers. They describe the answers in the OpenAPI document and check each one that is
 * sent.
 */
const { timestamp } = commonSchemas;

const ofRun = {
  run_id: z.string().describe('The run that the figures are of.'),
  generated_at: timestamp,
};

const time = timestamp.describe('When this was answered.');

const healthSchema = z.object({
  status: z
    .enum(['ok', 'degraded', 'killed', 'stopped'])
    .describe(
      'degraded: files on disk cannot be read; killed or stopped: the mode grpc was killed or has stopped.',
    ),
  time,
  version: z.string().describe('Of this API.'),
  commit: z
    .string()
    .nullable()
    .describe('What it was built from, as git describe names it; null where that is not known.'),
  analyser_web_id: z.string().nullable().describe('Null before the first run.'),
  has_results: z.boolean(),
  ...serviceStateSchema.shape,
});

const statusSchema = z.object({ time, ...serviceStateSchema.shape });

const cohortAnswerSchema = z.object({
  ...ofRun,
  cohort: cohortSchema,
  /**
   * Absent when callers are sent the exact figures, which `cohort` holds, or by the configuration no cohort figures.
   */
  cohort_release: releaseRecordSchema.optional(),
});

const podsAnswerSchema = z.object({ ...ofRun, pods: z.array(podRecordSchema) });

const podAnswerSchema = z.object({
  ...ofRun,
  pod: podRecordSchema,
  cohort: cohortSchema,
  has_chart: z.boolean().describe('Whether a chart is stored, of this run or an older one.'),
});

const runsAnswerSchema = z.object({
  runs: z.array(z.string()).describe('Run identifiers, newest first.'),
});

const chartSchema = z.unknown().meta({ type: 'string', contentMediaType: 'image/png' });

const problemSchema = z.object({ detail: z.string() });

export const podParamsSchema = z.object({
  pod_id: z.string().describe('As in /api/pods, for example pods.example.org-alice.'),
});

export const runParamsSchema = z.object({
  run_id: z.string().describe('As in /api/runs, for example 20260819T091500Z.'),
});

function json<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } };
}

/** The possible answers of each route, by status. */
const unreadable = { 500: json('The files on disk cannot be read.', problemSchema) };
const noRun = { 503: json('No analysis has run yet.', problemSchema) };
const unknown = { 404: json('There is none of this name.', problemSchema) };
const stored = { ...unreadable, ...noRun };
const named = { ...unknown, ...stored };

export const answers = {
  health: { 200: json('This API is up.', healthSchema) },
  status: { 200: json('What the analysing process is doing.', statusSchema), ...unreadable },
  results: { 200: json('A results document.', resultsDocumentSchema), ...stored },
  cohort: { 200: json('The cohort figures of the latest run.', cohortAnswerSchema), ...stored },
  pods: { 200: json('Every Pod that the latest run read.', podsAnswerSchema), ...stored },
  pod: { 200: json('One Pod beside the cohort.', podAnswerSchema), ...named },
  chart: {
    200: {
      description: 'The most recent chart.',
      content: { 'image/png': { schema: chartSchema } },
    },
    ...named,
  },
  runs: { 200: json('The stored runs, none before the first.', runsAnswerSchema), ...unreadable },
  run: { 200: json('A results document.', resultsDocumentSchema), ...named },
};
