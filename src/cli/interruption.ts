import { AnalyserError } from '../base/errors.js';

/**
 * Runs the task with a signal that the first Ctrl-C or SIGTERM aborts. The second one ends
 * the process at once, as it would without us.
 */
export async function untilInterrupted<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new AnalyserError('cancelled', 'Interrupted.'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await task(interruption.signal);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
