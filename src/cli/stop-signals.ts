import { once } from 'node:events';
import { AnalyserError } from '../base/errors.js';

/** npm passes on a signal that has reached all processes of its group already. */
const SAME_SIGNAL_MS = 1_000;

/** After this time, the process ends even if sockets are still open. */
const LEFTOVERS_MS = 2_000;

export async function untilInterrupted<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new AnalyserError('cancelled', 'Interrupted.'));
  return await listening(interrupt, 130, () => task(interruption.signal));
}

/** A second signal ends the process at once, and so does one before the service has started. */
export async function untilStopped(
  start: () => Promise<{ stop(): Promise<void> }>,
  onStop: () => void,
): Promise<void> {
  const stopping = new AbortController();
  let stop = (): void => process.exit(0);
  const onFirst = () => stop();
  await listening(onFirst, 0, async () => {
    const service = await start();
    stop = () => stopping.abort();
    await once(stopping.signal, 'abort');
    onStop();
    await service.stop();
    setTimeout(() => process.exit(), LEFTOVERS_MS).unref();
  });
}

async function listening<T>(
  onFirst: () => void,
  exitCodeOfSecond: number,
  task: () => Promise<T>,
): Promise<T> {
  let firstAt: number | null = null;
  const listener = () => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      onFirst();
    } else if (now - firstAt > SAME_SIGNAL_MS) {
      process.exit(exitCodeOfSecond);
    }
  };
  process.on('SIGINT', listener).on('SIGTERM', listener);
  try {
    return await task();
  } finally {
    process.off('SIGINT', listener).off('SIGTERM', listener);
  }
}
