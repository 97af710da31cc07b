import { z } from 'zod';
import {
  cohortSchema,
  documentParts,
  measureSchema,
  podEntrySchema,
  publishedEntrySchema,
  resultsDocumentSchema,
} from '../documents/results-document.js';
import {
  cancelledCycleSchema,
  endedCycleSchema,
  runningCycleSchema,
} from '../store/state-marker.js';

/** The bodies of the API: what describes them in the OpenAPI document also checks them on their way out. */
const { timestamp, figures, measures } = documentParts;

const ofRun = {
  run_id: z.string().describe('The run that the figures are of.'),
  generated_at: timestamp,
};

const cycles = {
  time: timestamp.describe('When this was answered.'),
  running: runningCycleSchema
    .nullable()
    .describe('The cycle at work. One that stays for long was killed: the last run attempted.'),
  last_run: endedCycleSchema.nullable().describe('The last cycle that was not cancelled.'),
  last_cancelled: cancelledCycleSchema.nullable(),
};

export const healthSchema = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('degraded: files on disk cannot be read.'),
    analyser_web_id: z.string().nullable().describe('Null before the first run.'),
    has_results: z.boolean(),
    ...cycles,
  })
  .describe('This API is up');

export const statusSchema = z.object(cycles).describe('What the analysing process is doing');

export const cohortAnswerSchema = z
  .object({ ...ofRun, cohort: cohortSchema })
  .describe('The cohort figures of the latest run');

export const podsAnswerSchema = z
  .object({ ...ofRun, pods: z.array(podEntrySchema) })
  .describe('Every Pod that the latest run read');

export const podAnswerSchema = z
  .object({ ...ofRun, pod: podEntrySchema, cohort: cohortSchema })
  .describe('One Pod of the latest run, beside the cohort');

export const runsAnswerSchema = z
  .object({ runs: z.array(z.string()).describe('Run identifiers, newest first.') })
  .describe('The stored runs');

export const chartSchema = z
  .unknown()
  .meta({ type: 'string', contentMediaType: 'image/png' })
  .describe('The most recent chart drawn for the Pod');

export const problemSchema = z.object({ detail: z.string() }).describe('Why there is no answer');

export const podParamsSchema = z.object({
  pod_id: z.string().describe('As in /api/pods, for example pods.example.org-alice.'),
});

export const runParamsSchema = z.object({
  run_id: z.string().describe('As in /api/runs, for example 20260819T091500Z.'),
});

/** Names for what the OpenAPI document mentions more than once. */
export const componentNames = z.registry<{ id: string }>();
componentNames.add(resultsDocumentSchema, { id: 'Results' });
componentNames.add(cohortSchema, { id: 'Cohort' });
componentNames.add(podEntrySchema, { id: 'Pod' });
componentNames.add(measureSchema, { id: 'Measure' });
componentNames.add(measures, { id: 'Measures' });
componentNames.add(figures, { id: 'Figures' });
componentNames.add(publishedEntrySchema, { id: 'PublishedEntry' });
componentNames.add(runningCycleSchema, { id: 'RunningCycle' });
componentNames.add(endedCycleSchema, { id: 'EndedCycle' });
componentNames.add(cancelledCycleSchema, { id: 'CancelledCycle' });
componentNames.add(problemSchema, { id: 'Problem' });
