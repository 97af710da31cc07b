import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { PodEntry, ResultsDocument } from '../documents/results-document.js';
import { answers, podParamsSchema } from './api-schemas.js';
import { HttpProblem, requireDocument } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

/** Reads the document of the newest run. */
type ReadLatest = () => Promise<ResultsDocument>;

export function addResultRoutes(
  app: FastifyInstance,
  { results, analyses, charts }: ServedFiles,
): void {
  const readLatest: ReadLatest = async () =>
    requireDocument(await results.readLatest(), 'the latest run');
  addCohortRoutes(app, readLatest, analyses);
  addPodRoutes(app, readLatest, charts);
  addChartRoute(app, readLatest, charts);
}

function addCohortRoutes(
  app: FastifyInstance,
  readLatest: ReadLatest,
  analyses: ServedFiles['analyses'],
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  server.get(
    '/api/summary',
    {
      schema: {
        operationId: 'getSummary',
        summary: 'The whole latest results document',
        tags: ['results'],
        response: answers.results,
      },
    },
    () => readLatest(),
  );

  server.get(
    '/api/cohort',
    {
      schema: {
        operationId: 'getCohort',
        summary: 'The cohort figures only',
        tags: ['results'],
        response: answers.cohort,
      },
    },
    async () => {
      const { run_id, generated_at, cohort, sharing } = await readLatest();
      const { cohort_release } = sharing;
      return { run_id, generated_at, cohort, ...(cohort_release && { cohort_release }) };
    },
  );

  server.get(
    '/api/pods',
    {
      schema: {
        operationId: 'listPods',
        summary: 'One entry per contributing Pod',
        tags: ['results'],
        response: answers.pods,
      },
    },
    async () => {
      const { run_id, generated_at, pods } = await readLatest();
      const { since, courses, left } = await analyses.courses();
      const known = (podId: string) =>
        courses.get(podId) ?? { first_seen: null, last_change: null };
      return {
        ...{ run_id, generated_at, since },
        pods: pods.map((pod) => ({ ...pod, ...known(pod.pod_id) })),
        left: Array.from(left, ([pod_id, left_at]) => ({ pod_id, left_at })).reverse(),
      };
    },
  );
}

function addPodRoutes(
  app: FastifyInstance,
  readLatest: ReadLatest,
  charts: ServedFiles['charts'],
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  server.get(
    '/api/pods/:pod_id',
    {
      schema: {
        operationId: 'getPod',
        tags: ['results'],
        params: podParamsSchema,
        summary: "One Pod's averages plus the cohort figures",
        response: answers.pod,
      },
    },
    async (request) => {
      const { run_id, generated_at, pods, cohort } = await readLatest();
      const pod = requirePod(pods, request.params);
      const has_chart = await charts.has(pod.pod_id);
      return { run_id, generated_at, pod, cohort, has_chart };
    },
  );
}

function addChartRoute(
  app: FastifyInstance,
  readLatest: ReadLatest,
  charts: ServedFiles['charts'],
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  server.get(
    '/api/pods/:pod_id/chart.png',
    {
      schema: {
        operationId: 'getPodChart',
        summary: "That Pod's chart",
        description: 'Drawn when the Pod last asked, so it may belong to an older run.',
        tags: ['results'],
        params: podParamsSchema,
        response: answers.chart,
      },
    },
    async (request, reply) => {
      // A picture can outlast what was shared: only of a Pod that the latest run read it is shown.
      const { pod_id } = requirePod((await readLatest()).pods, request.params);
      const chart = await charts.read(pod_id);
      if (chart === null) throw new HttpProblem(404, 'No chart has been drawn for this Pod yet.');
      return reply.type('image/png').send(chart);
    },
  );
}

function requirePod(pods: readonly PodEntry[], { pod_id }: { pod_id: string }): PodEntry {
  const pod = pods.find((entry) => entry.pod_id === pod_id);
  if (pod !== undefined) return pod;
  throw new HttpProblem(404, 'The latest run read no Pod of this pod_id; /api/pods lists them.');
}
