import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { OwnBuild } from '../base/build.js';
import { messageOf } from '../base/errors.js';
import { formatUtc } from '../base/utc-time.js';
import type { StoredResults } from '../store/results-store.js';
import { noService, readServiceState, type ServiceState } from '../store/service-state.js';
import { answers } from './api-schemas.js';
import { HttpProblem } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

export function addStateRoutes(
  app: FastifyInstance,
  { results }: ServedFiles,
  stateDir: string,
  { version, commit }: OwnBuild,
): void {
  const server = app.withTypeProvider<ZodTypeProvider>();
  server.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Liveness and a summary of the last run',
        tags: ['service'],
        response: answers.health,
      },
    },
    async (request) => {
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
        status: state === null || !isSound(latest) ? ('degraded' as const) : healthOf(state),
        time: formatUtc(new Date()),
        version,
        commit,
        analyser_web_id: latest?.state === 'found' ? latest.document.analyser.web_id : null,
        has_results: latest?.state === 'found',
        ...(state ?? noService),
      };
    },
  );

  server.get(
    '/api/status',
    {
      schema: {
        operationId: 'getStatus',
        summary: 'Whether an analysis is running, and how the last ended',
        description:
          'Read from files that the analysing process writes and touches. A live answer comes from the gRPC call Status.',
        tags: ['service'],
        response: answers.status,
      },
    },
    async () => {
      const state = await readServiceState(stateDir);
      if (state === null) {
        const sentence = 'The state marker is damaged; the next analysis replaces it.';
        throw new HttpProblem(500, sentence, { stateDir });
      }
      return { time: formatUtc(new Date()), ...state };
    },
  );
}

function healthOf({ analyser }: ServiceState): 'ok' | 'killed' | 'stopped' {
  return analyser === null || analyser.state === 'alive' ? 'ok' : analyser.state;
}

function isSound(latest: StoredResults | null): boolean {
  return latest?.state === 'found' || latest?.state === 'absent';
}
