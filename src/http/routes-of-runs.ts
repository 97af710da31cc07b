import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { answers, runParamsSchema } from './api-schemas.js';
import { HttpProblem, noRunYet, requireDocument } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

/** Adds the routes for all stored runs. */
export function addRunRoutes(app: FastifyInstance, { analyses, results }: ServedFiles): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  // The object is kept, because `serialiseOnce` writes the same object as JSON only once.
  let listed: { runs: string[] } = { runs: [] };
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
    async () => {
      const runs = await analyses.listRuns();
      if (listed.runs !== runs) listed = { runs };
      return listed;
    },
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
    async (request) => {
      const { run_id } = request.params;
      const stored = await results.readRun(run_id);
      if (stored.state === 'absent') {
        if (!(await results.hasLatest()) && (await results.listRuns()).length === 0) {
          throw noRunYet();
        }
        throw new HttpProblem(404, 'No run of this run_id is stored; /api/runs lists them.');
      }
      return requireDocument(stored, `run ${run_id}`);
    },
  );
}
