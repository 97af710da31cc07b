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
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!isRunning) endAtOnce(signal);
    if (stopping.signal.aborted) process.exit(0);
    stopping.abort();
  };
  const endAtOnce = (signal: NodeJS.Signals): never => {
    // An exit would wait for a disk that hangs; the system's own handling waits for nothing.
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    process.kill(process.pid, signal);
    // The first process of a container has no such handling.
    return process.exit(0);
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
