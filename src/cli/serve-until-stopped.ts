import { startServer } from '../grpc/server.js';
import { untilStopped } from './until-stopped.js';

/** How long the analysis in hand may go on after the first signal. */
const graceMs = 30_000;

export async function serveUntilStopped<Connection>(
  settings: Parameters<typeof startServer<Connection>>[0],
): Promise<void> {
  await untilStopped(
    async () => {
      const server = await startServer(settings);
      return { stop: () => server.stop(graceMs) };
    },
    () => settings.log.info('Stopping: no new calls; the analysis in hand may finish.'),
  );
}
