import { startServer } from '../grpc/server.js';
import type { AnalysisService } from '../thread/analysis-service.js';
import { untilStopped } from './until-stopped.js';

/** How long the running analysis may go on after the first signal. */
const graceMs = 30_000;

type ServerSettings = Parameters<typeof startServer>[0];
type Analyses = Omit<AnalysisService, 'readiness'> & Pick<ServerSettings, 'readiness'>;

export async function serveUntilStopped(
  startAnalyses: () => Promise<Analyses>,
  settings: Omit<ServerSettings, 'queue' | 'readiness' | 'identify'>,
): Promise<void> {
  const start = async () => {
    const { stop: stopAnalyses, ...analyses } = await startAnalyses();
    try {
      const server = await startServer({ ...settings, ...analyses });
      const stop = async () => {
        await server.stop(graceMs);
        await stopAnalyses();
      };
      return { stop };
    } catch (error) {
      await stopAnalyses();
      throw error;
    }
  };
  await untilStopped(start, () =>
    settings.log.info('Stopping: no new calls; the analysis in hand may finish.'),
  );
}
