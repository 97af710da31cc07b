import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { PodRecord } from '../documents/results-document.js';
import { answers, podParamsSchema } from './api-schemas.js';
import { HttpProblem, requireLatest } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

/** Adds the routes for what the newest run found. */
export function addResultRoutes(app: FastifyInstance, { results, charts }: ServedFiles): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  const tags = ['results'];
  server.get(
    '/api/summary',
    {
      schema: {
        operationId: 'getSummary',
        summary: 'The whole latest results document',
        tags,
        response: answers.results,
      },
    },
    () => requireLatest(results),
  );

  server.get(
    '/api/cohort',
    {
      schema: {
        operationId: 'getCohort',
        summary: 'The cohort figures only',
        tags,
        response: answers.cohort,
      },
    },
    async () => {
      const { run_id, generated_at, cohort, sharing } = await requireLatest(results);
      const { cohort_release } = sharing;
      return { run_id, generated_at, cohort, ...(cohort_release && { cohort_release }) };
    },
  );

  server.get(
    '/api/pods',
    {
      schema: {
        operationId: 'listPods',
        summary: 'One record per contributing Pod',
        tags,
        response: answers.pods,
      },
    },
    async () => {
      const { run_id, generated_at, pods } = await requireLatest(results);
      return { run_id, generated_at, pods };
    },
  );

  server.get(
    '/api/pods/:pod_id',
    {
      schema: {
        operationId: 'getPod',
        summary: "One Pod's averages plus the cohort figures",
        tags,
        params: podParamsSchema,
        response: answers.pod,
      },
    },
    async (request) => {
      const { run_id, generated_at, pods, cohort } = await requireLatest(results);
      const pod = requirePod(pods, request.params);
      const has_chart = await charts.has(pod.pod_id);
      return { run_id, generated_at, pod, cohort, has_chart };
    },
  );

  server.get(
    '/api/pods/:pod_id/chart.png',
    {
      schema: {
        operationId: 'getPodChart',
        summary: "That Pod's chart",
        description: 'Drawn when the Pod last asked, so it may belong to an older run.',
        tags,
        params: podParamsSchema,
        response: answers.chart,
      },
    },
    async (request, reply) => {
      // A picture can outlast what was shared: only of a Pod that the latest run read it is shown.
      const { pod_id } = requirePod((await requireLatest(results)).pods, request.params);
      const chart = await charts.read(pod_id);
      if (chart === null) throw new HttpProblem(404, 'No chart has been drawn for this Pod yet.');
      return reply.type('image/png').send(chart);
    },
  );
}

function requirePod(pods: readonly PodRecord[], { pod_id }: { pod_id: string }): PodRecord {
  const pod = pods.find((one) => one.pod_id === pod_id);
  if (pod !== undefined) return pod;
  throw new HttpProblem(404, 'The latest run read no Pod of this pod_id; /api/pods lists them.');
}
