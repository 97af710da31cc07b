import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { answers, runParamsSchema } from './api-schemas.js';
import { requireRun } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

/** Adds the routes for all stored runs. */
export function addRunRoutes(app: FastifyInstance, { results }: ServedFiles): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  server.get(
    '/api/runs',
    {
      schema: {
        operationId: 'listRuns',
        summary: 'Stored run identifiers, newest first',
        tags: ['runs'],
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
        tags: ['runs'],
        params: runParamsSchema,
        response: answers.run,
      },
    },
    ({ params }) => requireRun(results, params.run_id),
  );
}
