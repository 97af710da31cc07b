import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AnalysisSummary } from '../documents/analysis-summary.js';
import {
  type AnalysesQuery,
  analysesQuerySchema,
  answers,
  runParamsSchema,
} from './api-schemas.js';
import { HttpProblem, noRunYet, requireDocument } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

/** A page with the figures of a Pod is shorter, because a run document is read for each analysis on it. */
const MOST_WITH_POD = 100;

/** Adds the routes for all stored analyses and runs. */
export function addRunRoutes(app: FastifyInstance, { analyses, results }: ServedFiles): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  // The object is kept, because `serialiseOnce` writes the same object as JSON only once.
  let listed: { runs: string[] } = { runs: [] };
  server.get(
    '/api/analyses',
    {
      schema: {
        operationId: 'listAnalyses',
        summary: 'A summary of each analysis, newest first, in pages',
        description:
          'For a course: which figures each analysis had, and which Pods came and went. The next page is asked for with `before`.',
        tags: ['runs'],
        querystring: analysesQuerySchema,
        response: answers.analyses,
      },
    },
    async ({ query }) => {
      const chosen = chooseDays(await analyses.list(), query);
      const { pod_id } = query;
      const limit = pod_id === undefined ? query.limit : Math.min(query.limit, MOST_WITH_POD);
      const rest = query.before === undefined ? chosen : allBefore(chosen, query.before);
      const page = rest.slice(0, limit);
      const last = rest.length > limit ? page.at(-1) : undefined;
      return {
        analyses:
          pod_id === undefined
            ? page
            : await Promise.all(page.map((summary) => analyses.withPod(summary, pod_id))),
        total: chosen.length,
        next: last?.runs[0]?.run_id ?? null,
      };
    },
  );

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

/** Chooses analyses by the day of their generated_at in UTC. */
function chooseDays(analyses: readonly AnalysisSummary[], { from, to }: AnalysesQuery) {
  if (from === undefined && to === undefined) return analyses;
  return analyses.filter(({ generated_at }) => {
    const day = new Date(generated_at).toISOString().slice(0, 'yyyy-mm-dd'.length);
    return day >= (from ?? '') && (to === undefined || day <= to);
  });
}

function allBefore(analyses: readonly AnalysisSummary[], runId: string) {
  const index = analyses.findIndex(({ runs }) => runs.some(({ run_id }) => run_id === runId));
  if (index >= 0) return analyses.slice(index + 1);
  throw new HttpProblem(404, 'No analysis of these days has the run that `before` names.');
}
