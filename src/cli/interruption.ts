import { AnalyserError } from '../base/errors.js';

/** npm passes on a Ctrl-C that the terminal has delivered already, so it arrives twice. */
const SAME_CTRL_C_MS = 1_000;

/**
 * Runs the task with a signal that aborts at the first Ctrl-C or SIGTERM. A second one ends the
 * process at once.
 */
export async function untilInterrupted<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  let firstAt = 0;
  const interrupt = () => {
    if (interruption.signal.aborted) {
      if (performance.now() - firstAt > SAME_CTRL_C_MS) process.exit(130);
      return;
    }
    firstAt = performance.now();
    interruption.abort(new AnalyserError('cancelled', 'Interrupted.'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await task(interruption.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
