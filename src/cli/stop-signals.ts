import { once } from 'node:events';
import { AnalyserError } from '../base/errors.js';

/** npm passes on a signal that has reached all processes of its group already, so it arrives twice. */
const SAME_SIGNAL_MS = 1_000;

/** After this time, the process ends even if sockets are still open. */
const LEFTOVERS_MS = 2_000;

/** Runs a task with a signal that aborts at the first Ctrl-C or SIGTERM. A second signal ends the process at once. */
export async function untilInterrupted<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new AnalyserError('cancelled', 'Interrupted.'));
  const repeated = ['SIGINT', 'SIGTERM'];
  return await listening(interrupt, { repeated, exitCode: 130 }, () => task(interruption.signal));
}

/**
 * Keeps a service up until the first Ctrl-C or SIGTERM, which stops it gracefully. A second signal ends the process at once, and so does a signal before the
 * service has started.
 */
export async function untilStopped(
  start: () => Promise<{ stop(): Promise<void> }>,
  onStop: () => void,
): Promise<void> {
  const stopping = new AbortController();
  let isRunning = false;
  const stop = (name: NodeJS.Signals) => {
    if (!isRunning) endAsBySystem(name);
    stopping.abort();
  };
  await listening(stop, { repeated: ['SIGINT'], exitCode: 0 }, async () => {
    const service = await start();
    isRunning = true;
    await once(stopping.signal, 'abort');
    onStop();
    await service.stop();
    setTimeout(() => process.exit(), LEFTOVERS_MS).unref();
  });
}

async function listening<T>(
  onFirst: (name: NodeJS.Signals) => void,
  second: {
    /** Signals that are ignored when they come again soon after the first. */
    repeated: readonly string[];
    /** The exit code of a process that any other second signal ends. */
    exitCode: number;
  },
  task: () => Promise<T>,
): Promise<T> {
  let firstAt: number | null = null;
  const listener = (name: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      onFirst(name);
    } else if (!second.repeated.includes(name) || now - firstAt > SAME_SIGNAL_MS) {
      process.exit(second.exitCode);
    }
  };
  process.on('SIGINT', listener).on('SIGTERM', listener);
  try {
    return await task();
  } finally {
    process.off('SIGINT', listener).off('SIGTERM', listener);
  }
}

/** Ends by the system's default handling of the signal, because process.exit would wait for a disk that hangs. */
function endAsBySystem(name: NodeJS.Signals): never {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
  // The system has no default handling for the first process of a container.
  return process.exit(0);
}
