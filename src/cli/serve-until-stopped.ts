import { startServer } from '../grpc/server.js';

/** How long the analysis in hand may go on after the first signal. */
const graceMs = 30_000;

/** What is still open after that is not worth waiting for. */
const leftoversMs = 2000;

/**
 * Serves until SIGINT or SIGTERM. The first stops gracefully; a second one, or one that
 * comes before anything is served, ends the process at once.
 */
export async function serveUntilStopped<Connection>(
  settings: Parameters<typeof startServer<Connection>>[0],
): Promise<void> {
  let stop = (): void => process.exit(0);
  const endAtOnce = stop;
  const onSignal = (): void => stop();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const server = await startServer(settings);
    await new Promise<void>((resolve) => {
      stop = () => {
        stop = endAtOnce;
        resolve();
      };
    });
    settings.log.info('Stopping: no new calls; the analysis in hand may finish.');
    await server.stop(graceMs);
    setTimeout(() => process.exit(0), leftoversMs).unref();
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
