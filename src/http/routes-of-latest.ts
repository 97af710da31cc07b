import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { fhirOfPodEntry } from '../documents/fhir-observations.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { answers, podParamsSchema } from './api-schemas.js';
import { HttpProblem, requireDocument } from './http-problem.js';

/** What the newest run found. */
export function addLatestRoutes(
  app: FastifyInstance,
  results: ResultsStore,
  charts: ChartStore,
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  const latest = async (log: FastifyBaseLogger) =>
    requireDocument(await results.readLatest(), 'the latest run', log);

  server.get(
    '/api/summary',
    {
      schema: {
        summary: 'The whole latest results document',
        tags: ['results'],
        response: answers.results,
      },
    },
    async (request, reply) => {
      const { document, modified } = await latest(request.log);
      return reply.header('last-modified', modified.toUTCString()).send(document);
    },
  );

  server.get(
    '/api/cohort',
    {
      schema: {
        summary: 'The cohort figures only',
        tags: ['results'],
        response: answers.cohort,
      },
    },
    async (request, reply) => {
      const { document, modified } = await latest(request.log);
      const { run_id, generated_at, cohort, sharing } = document;
      const { cohort_release } = sharing;
      return reply
        .header('last-modified', modified.toUTCString())
        .send({ run_id, generated_at, cohort, ...(cohort_release && { cohort_release }) });
    },
  );

  server.get(
    '/api/pods',
    {
      schema: {
        summary: 'One entry per contributing Pod',
        tags: ['results'],
        response: answers.pods,
      },
    },
    async (request, reply) => {
      const { document, modified } = await latest(request.log);
      const { run_id, generated_at, pods } = document;
      return reply
        .header('last-modified', modified.toUTCString())
        .send({ run_id, generated_at, pods });
    },
  );

  server.get(
    '/api/pods/:pod_id',
    {
      schema: {
        summary: "One Pod's averages plus the cohort figures",
        tags: ['results'],
        params: podParamsSchema,
        response: answers.pod,
      },
    },
    async (request, reply) => {
      const { document, modified } = await latest(request.log);
      const { run_id, generated_at, pods, cohort } = document;
      const pod = pods.find((entry) => entry.pod_id === request.params.pod_id);
      if (pod === undefined) throw unknownPod();
      return reply
        .header('last-modified', modified.toUTCString())
        .send({ run_id, generated_at, pod, cohort });
    },
  );

  server.get(
    '/api/pods/:pod_id/fhir',
    {
      schema: {
        summary: "One Pod's averages in HL7 FHIR R4",
        description:
          'A Bundle with a US Core Average Blood Pressure and, where recorded, a heart rate.',
        tags: ['results'],
        params: podParamsSchema,
        response: answers.fhir,
      },
    },
    async (request, reply) => {
      const { document, modified } = await latest(request.log);
      const pod = document.pods.find((entry) => entry.pod_id === request.params.pod_id);
      if (pod === undefined) throw unknownPod();
      return reply
        .header('last-modified', modified.toUTCString())
        .type('application/fhir+json')
        .send(fhirOfPodEntry(pod, document.generated_at));
    },
  );

  server.get(
    '/api/pods/:pod_id/chart.png',
    {
      schema: {
        summary: "That Pod's chart",
        description: 'Drawn when the Pod last asked, so it may belong to an older run.',
        tags: ['results'],
        params: podParamsSchema,
        response: answers.chart,
      },
    },
    async (request, reply) => {
      const { pod_id } = request.params;
      const chart = await charts.read(pod_id);
      if (chart !== null) {
        return reply
          .header('last-modified', chart.modified.toUTCString())
          .type('image/png')
          .send(chart.png);
      }
      const { document } = await latest(request.log);
      if (!document.pods.some((entry) => entry.pod_id === pod_id)) throw unknownPod();
      throw new HttpProblem(404, 'No chart has been drawn for this Pod yet.');
    },
  );
}

function unknownPod(): HttpProblem {
  return new HttpProblem(404, 'The latest run read no Pod of this pod_id; /api/pods lists them.');
}
