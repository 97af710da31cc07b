import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { OwnBuild } from '../base/build.js';
import { messageOf } from '../base/errors.js';
import { formatUtc } from '../base/utc-time.js';
import type { ResultsDocument } from '../documents/results-document.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore, StoredResults } from '../store/results-store.js';
import { noService, readServiceState, type ServiceState } from '../store/state.js';
import { answers, podParamsSchema, runParamsSchema } from './api-schemas.js';
import { HttpProblem, requireLatest, requireRun } from './http-problem.js';

/** Everything that the API can read about persons and their Pods. */
export interface ServedFiles {
  results: ResultsStore;
  charts: ChartStore;
}

/** What the OpenAPI document says of a route; each answer is checked by the schema of its status. */
function about<R>(tag: string, operationId: string, summary: string, response: R) {
  return { tags: [tag], operationId, summary, response };
}

export function addApiRoutes(
  app: FastifyInstance,
  { results, charts }: ServedFiles,
  stateDir: string,
  { version, commit }: OwnBuild,
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();

  const health = about(
    'service',
    'getHealth',
    'Liveness and a summary of the last run',
    answers.health,
  );
  server.get('/health', { schema: health }, async (request) => {
    // The API is alive even if the disk fails, so the status stays 200; the body and the log show the failure.
    const unreadable = (error: unknown): null => {
      request.log.error({ err: error }, messageOf(error));
      return null;
    };
    const [latest, state] = await Promise.all([
      results.readLatest().catch(unreadable),
      readServiceState(stateDir).catch(unreadable),
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
    ...about(
      'service',
      'getStatus',
      'Whether an analysis is running, and how the last ended',
      answers.status,
    ),
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

  const summary = about(
    'results',
    'getSummary',
    'The whole latest results document',
    answers.results,
  );
  server.get('/api/summary', { schema: summary }, () => requireLatest(results));

  const cohort = about('results', 'getCohort', 'The cohort figures only', answers.cohort);
  server.get('/api/cohort', { schema: cohort }, async () => {
    const { run_id, generated_at, cohort, sharing } = await requireLatest(results);
    const { cohort_release } = sharing;
    return { run_id, generated_at, cohort, ...(cohort_release && { cohort_release }) };
  });

  const pods = about('results', 'listPods', 'One record per contributing Pod', answers.pods);
  server.get('/api/pods', { schema: pods }, async () => {
    const { run_id, generated_at, pods } = await requireLatest(results);
    return { run_id, generated_at, pods };
  });

  const pod = {
    ...about('results', 'getPod', "One Pod's averages plus the cohort figures", answers.pod),
    params: podParamsSchema,
  };
  server.get('/api/pods/:pod_id', { schema: pod }, async ({ params }) => {
    const { run_id, generated_at, pods, cohort } = await requireLatest(results);
    const pod = requirePod(pods, params.pod_id);
    return { run_id, generated_at, pod, cohort, has_chart: await charts.has(pod.pod_id) };
  });

  const chart = {
    ...about('results', 'getPodChart', "That Pod's chart", answers.chart),
    description: 'Drawn when the Pod last asked, so it may belong to an older run.',
    params: podParamsSchema,
  };
  server.get('/api/pods/:pod_id/chart.png', { schema: chart }, async ({ params }, reply) => {
    // A picture can outlast what was shared: only of a Pod that the latest run read it is shown.
    const { pod_id } = requirePod((await requireLatest(results)).pods, params.pod_id);
    const png = await charts.read(pod_id);
    if (png === null) throw new HttpProblem(404, 'No chart has been drawn for this Pod yet.');
    return reply.type('image/png').send(png);
  });

  const runs = about('runs', 'listRuns', 'Stored run identifiers, newest first', answers.runs);
  server.get('/api/runs', { schema: runs }, async () => ({ runs: await results.listRuns() }));

  const run = {
    ...about('runs', 'getRun', 'One stored run in full', answers.run),
    params: runParamsSchema,
  };
  server.get('/api/runs/:run_id', { schema: run }, ({ params }) =>
    requireRun(results, params.run_id),
  );
}

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
