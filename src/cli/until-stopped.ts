import { once } from 'node:events';

/** Sockets that are still open after this time are not waited for. */
const leftoversMs = 2000;

/**
 * Runs until SIGINT or SIGTERM. The first stops gracefully; a second one, or one that comes
 * before everything has started, ends the process at once.
 */
export async function untilStopped(
  start: () => Promise<{ stop(): Promise<void> }>,
  onStop: () => void,
): Promise<void> {
  const stopping = new AbortController();
  let isRunning = false;
  const onSignal = (): void => {
    if (!isRunning) process.exit(0);
    isRunning = false;
    stopping.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    const started = await start();
    isRunning = true;
    await once(stopping.signal, 'abort');
    onStop();
    await started.stop();
    setTimeout(() => process.exit(0), leftoversMs).unref();
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
