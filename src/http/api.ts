import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { OwnBuild } from '../base/build.js';
import { messageOf } from '../base/errors.js';
import { formatUtc } from '../base/utc-time.js';
import {
  cohortSchema,
  commonSchemas,
  podRecordSchema,
  type ResultsDocument,
  releaseRecordSchema,
  resultsDocumentSchema,
} from '../documents/results-document.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore, StoredResults } from '../store/results-store.js';
import {
  noService,
  readServiceState,
  type ServiceState,
  serviceStateSchema,
} from '../store/state.js';
import { HttpProblem, requireLatest, requireRun } from './http-problem.js';

/** Everything that the API can read about persons and their Pods. */
export interface ServedFiles {
  results: ResultsStore;
  charts: ChartStore;
}

/** The OpenAPI document is made of these routes, and each answer is checked by the schema of its status. */
export function addApi(
  app: FastifyInstance,
  { results, charts }: ServedFiles,
  stateDir: string,
  { version, commit }: OwnBuild,
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();

  const health = about('service', 'getHealth', 'Liveness and a summary of the last run', {
    200: json('This API is up.', healthSchema),
  });
  server.get('/health', { schema: health }, async (request) => {
    // The API is alive even if the disk fails, so the status stays 200; the body and the log show the failure.
    const unread = (error: unknown): null => {
      request.log.error({ err: error }, messageOf(error));
      return null;
    };
    const [latest, state] = await Promise.all([
      results.readLatest().catch(unread),
      readServiceState(stateDir).catch(unread),
    ]);
    return {
      status: healthOf(latest, state),
      time: formatUtc(new Date()),
      version,
      commit,
      analyser_web_id: latest?.state === 'found' ? latest.document.analyser.web_id : null,
      has_results: latest?.state === 'found',
      ...(state ?? noService),
    };
  });

  const status = {
    ...about('service', 'getStatus', 'Whether an analysis is running, and how the last ended', {
      200: json('What the analysing process is doing.', statusSchema),
      ...unreadable,
    }),
    description:
      'Read from files that the analysing process writes and touches. A live answer comes from the gRPC call Status.',
  };
  server.get('/api/status', { schema: status }, async () => {
    const state = await readServiceState(stateDir);
    if (state === null) {
      const sentence = 'The state marker is damaged; the next analysis replaces it.';
      throw new HttpProblem(500, sentence, { stateDir });
    }
    return { time: formatUtc(new Date()), ...state };
  });

  const summary = about('results', 'getSummary', 'The whole latest results document', {
    200: json('A results document.', resultsDocumentSchema),
    ...ofLatest,
  });
  server.get('/api/summary', { schema: summary }, () => requireLatest(results));

  const cohort = about('results', 'getCohort', 'The cohort figures only', {
    200: json(
      'The cohort figures of the latest run.',
      z.object({
        ...ofRun,
        cohort: cohortSchema,
        /** Absent when callers are sent the exact figures, which `cohort` holds, or by the configuration none. */
        cohort_release: releaseRecordSchema.optional(),
      }),
    ),
    ...ofLatest,
  });
  server.get('/api/cohort', { schema: cohort }, async () => {
    const { run_id, generated_at, cohort, sharing } = await requireLatest(results);
    const { cohort_release } = sharing;
    return { run_id, generated_at, cohort, ...(cohort_release && { cohort_release }) };
  });

  const pods = about('results', 'listPods', 'One record per contributing Pod', {
    200: json(
      'Every Pod that the latest run read.',
      z.object({ ...ofRun, pods: z.array(podRecordSchema) }),
    ),
    ...ofLatest,
  });
  server.get('/api/pods', { schema: pods }, async () => {
    const { run_id, generated_at, pods } = await requireLatest(results);
    return { run_id, generated_at, pods };
  });

  const params = z.object({
    pod_id: z.string().describe('As in /api/pods, for example pods.example.org-alice.'),
  });
  const podAnswer = z.object({
    ...ofRun,
    pod: podRecordSchema,
    cohort: cohortSchema,
    has_chart: z.boolean().describe('Whether a chart is stored, of this run or an older one.'),
  });
  const pod = about('results', 'getPod', "One Pod's averages plus the cohort figures", {
    200: json('One Pod beside the cohort.', podAnswer),
    ...ofNamed,
  });
  server.get('/api/pods/:pod_id', { schema: { ...pod, params } }, async ({ params }) => {
    const { run_id, generated_at, pods, cohort } = await requireLatest(results);
    const pod = requirePod(pods, params.pod_id);
    return { run_id, generated_at, pod, cohort, has_chart: await charts.has(pod.pod_id) };
  });

  const png = z.unknown().meta({ type: 'string', contentMediaType: 'image/png' });
  const chart = {
    ...about('results', 'getPodChart', "That Pod's chart", {
      200: { description: 'The most recent chart.', content: { 'image/png': { schema: png } } },
      ...ofNamed,
    }),
    description: 'Drawn when the Pod last asked, so it may belong to an older run.',
    params,
  };
  server.get('/api/pods/:pod_id/chart.png', { schema: chart }, async ({ params }, reply) => {
    // A picture can outlast what was shared: only of a Pod that the latest run read it is shown.
    const { pod_id } = requirePod((await requireLatest(results)).pods, params.pod_id);
    const png = await charts.read(pod_id);
    if (png === null) throw new HttpProblem(404, 'No chart has been drawn for this Pod yet.');
    return reply.type('image/png').send(png);
  });

  const runIds = z.array(z.string()).describe('Run identifiers, newest first.');
  const runs = about('runs', 'listRuns', 'Stored run identifiers, newest first', {
    200: json('The stored runs, none before the first.', z.object({ runs: runIds })),
    ...unreadable,
  });
  server.get('/api/runs', { schema: runs }, async () => ({ runs: await results.listRuns() }));

  const run = {
    ...about('runs', 'getRun', 'One stored run in full', {
      200: json('A results document.', resultsDocumentSchema),
      ...ofNamed,
    }),
    params: z.object({
      run_id: z.string().describe('As in /api/runs, for example 20260819T091500Z.'),
    }),
  };
  server.get('/api/runs/:run_id', { schema: run }, ({ params }) =>
    requireRun(results, params.run_id),
  );
}

function about<R>(tag: string, operationId: string, summary: string, response: R) {
  return { tags: [tag], operationId, summary, response };
}

function json<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } };
}

const { timestamp } = commonSchemas;
const ofRun = {
  run_id: z.string().describe('The run that the figures are of.'),
  generated_at: timestamp,
};
const time = timestamp.describe('When this was answered.');
const statusSchema = z.object({ time, ...serviceStateSchema.shape });
const healthSchema = statusSchema.extend({
  status: z
    .enum(['ok', 'degraded', 'killed', 'stopped'])
    .describe(
      'degraded: files on disk cannot be read; killed or stopped: the mode grpc was killed or has stopped.',
    ),
  version: z.string().describe('Of this API.'),
  commit: z
    .string()
    .nullable()
    .describe('What it was built from, as git describe names it; null where that is not known.'),
  analyser_web_id: z.string().nullable().describe('Null before the first run.'),
  has_results: z.boolean(),
});

const problemSchema = z.object({ detail: z.string() });
const unreadable = { 500: json('The files on disk cannot be read.', problemSchema) };
const ofLatest = { ...unreadable, 503: json('No analysis has run yet.', problemSchema) };
const ofNamed = { 404: json('There is none of this name.', problemSchema), ...ofLatest };

function healthOf(
  latest: StoredResults | null,
  state: ServiceState | null,
): 'ok' | 'degraded' | 'killed' | 'stopped' {
  const isSound = latest?.state === 'found' || latest?.state === 'absent';
  if (state === null || !isSound) return 'degraded';
  const { analyser } = state;
  return analyser === null || analyser.state === 'alive' ? 'ok' : analyser.state;
}

function requirePod(pods: ResultsDocument['pods'], podId: string) {
  const pod = pods.find(({ pod_id }) => pod_id === podId);
  if (pod !== undefined) return pod;
  throw new HttpProblem(404, 'The latest run read no Pod of this pod_id; /api/pods lists them.');
}
