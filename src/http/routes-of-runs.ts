import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ResultsStore } from '../store/results-store.js';
import { answers, runParamsSchema } from './api-schemas.js';
import { HttpProblem, noRunYet, requireDocument } from './http-problem.js';

const tags = ['runs'];

export function addRunRoutes(app: FastifyInstance, results: ResultsStore): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  server.get(
    '/api/runs',
    {
      schema: {
        operationId: 'listRuns',
        summary: 'Stored run identifiers, newest first',
        tags,
        response: answers.runs,
      },
    },
    async () => ({ runs: await results.listRuns() }),
  );

  server.get(
    '/api/runs/:run_id',
    {
      schema: {
        operationId: 'getRun',
        summary: 'One stored run in full',
        tags,
        params: runParamsSchema,
        response: answers.run,
      },
    },
    async (request, reply) => {
      const { run_id } = request.params;
      const stored = await results.readRun(run_id);
      if (stored.state === 'absent') {
        if ((await results.listRuns()).length === 0) throw noRunYet();
        throw new HttpProblem(404, 'No run of this run_id is stored; /api/runs lists them.');
      }
      return requireDocument(stored, `run ${run_id}`, reply);
    },
  );
}
