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
  let stop = (): void => process.exit(0);
  const endAtOnce = stop;
  const onSignal = (): void => stop();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const started = await start();
    await new Promise<void>((resolve) => {
      stop = () => {
        stop = endAtOnce;
        resolve();
      };
    });
    onStop();
    await started.stop();
    setTimeout(() => process.exit(0), leftoversMs).unref();
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
