import { AnalyserError } from '../base/errors.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { cleanTemporaryFiles } from '../store/atomic-file.js';
import { acquireCycleLock } from '../store/cycle-lock.js';
import { type CycleMarker, markCycleStarted } from '../store/state-marker.js';
import { statusOf } from './build-report.js';
import type { Connection } from './connection.js';
import type { RunControl } from './run-control.js';
import { type CycleOutcome, type CycleRequest, type CycleTools, runCycle } from './run-cycle.js';

export interface RunLimits {
  /** Counted from the run's own turn; null: as long as it takes. */
  timeoutSeconds: number | null;
  /** Another process holds the turn. */
  onWait?: () => void;
}

/**
 * One run with everything around it: its turn among all processes of this var/, its time
 * limit, its id and the marker that tells the HTTP API what is going on.
 */
export async function performRun(
  tools: CycleTools,
  connection: Connection,
  request: CycleRequest,
  control: RunControl,
  { timeoutSeconds, onWait }: RunLimits,
): Promise<CycleOutcome> {
  const { state_dir } = tools.config.output;
  const lock = await acquireCycleLock(state_dir, {
    signal: control.signal,
    ...(onWait && { onWait }),
  });
  const timer =
    timeoutSeconds === null
      ? undefined
      : setTimeout(() => control.stop('timeout'), timeoutSeconds * 1000);
  try {
    const { results_dir, charts_dir } = tools.config.output;
    if (lock.afterCrash) await cleanTemporaryFiles([state_dir, results_dir, charts_dir]);
    const started = tools.now();
    control.runId = await tools.results.nextRunId(started, control.previousRunId);
    const marker = await markCycleStarted(state_dir, started);
    return await markEnd(marker, request.caller, control, tools.now, () =>
      runCycle(tools, connection, request, control),
    );
  } finally {
    clearTimeout(timer);
    await lock.release();
  }
}

async function markEnd(
  marker: CycleMarker,
  caller: string | null,
  control: RunControl,
  now: () => Date,
  run: () => Promise<CycleOutcome>,
): Promise<CycleOutcome> {
  const run_id = control.runId;
  try {
    const outcome = await run();
    const status = statusOf(outcome, caller);
    await marker.ended({ run_id, status, message: '' }, now());
    return outcome;
  } catch (error) {
    const cause: unknown = control.signal.aborted ? control.signal.reason : error;
    if (cause instanceof AnalyserError && cause.kind === 'cancelled') {
      await marker.cancelled(now());
    } else {
      // Before the last checkpoint nothing was stored, so there is no run to point to.
      const stored = control.committed ? run_id : null;
      const message = failureSentence(cause);
      await marker.ended({ run_id: stored, status: 'FAILED', message }, now());
    }
    throw cause;
  }
}
