import { isDiskError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { type AnalysisReport, failureSentence, hasRunDocument } from '../run/analysis-report.js';
import type { OnFiles } from '../run/read/read-task.js';
import { acquireLock, type FolderLock, type LockOptions } from '../store/folder-lock.js';
import { nextRunIds, openResultsStore } from '../store/results-store.js';
import { forAnalysis, markAnalysisStarted } from '../store/state.js';
import { tidyUp, type VarFolders } from '../store/tidy-up.js';
import type { Turn } from './turn.js';

export interface TurnTools {
  output: VarFolders;
  /** The time limit, counted from the moment when the turn has the lock and the marker; null for no limit. */
  timeoutSeconds: number | null;
  log: Logger;
  now?: () => Date;
  /** Called when files below var/ fail outside the analysis itself. */
  onDiskFailure?: (error: unknown) => void;
}

/** `AnalysisThread.analyse`; with run-once, the analysis in this thread. */
type Analyse = (onFiles: OnFiles) => Promise<void>;

/**
 * Runs one analysis and does all that belongs to it: takes the lock of this var/, gives run ids, sets the time limit,
 * writes the marker for the HTTP API, and ends the turn. Resolves with what made it fail, or null.
 */
export async function performTurn(
  turn: Turn,
  tools: TurnTools,
  analyse: Analyse,
): Promise<Error | null> {
  const { log, onDiskFailure } = tools;
  let failure: Error | null = null;
  let lock: FolderLock | null = null;
  const started = performance.now();
  /** For the steps around the analysis, which logs its own failure. */
  const failed = (error: unknown) => {
    failure = asError(error);
    if (isDiskError(error)) onDiskFailure?.(error);
    if (!turn.signal.aborted) log.error({ err: error }, 'An analysis failed.');
  };
  try {
    const lockOptions: LockOptions = {
      signal: turn.signal,
      about: forAnalysis,
      onWait: () => log.info('Another process runs an analysis; this one waits for its turn.'),
    };
    lock = await takeAnalysisLock(tools.output, lockOptions, tools.now?.());
    log.info({ callers: turn.callers.length }, 'An analysis starts.');
    const onFiles = await holdTurn(turn, lock, tools);
    failure = await analyseInTime(turn, tools.timeoutSeconds, () => analyse(onFiles));
  } catch (error) {
    failed(error);
  }
  await turn.end(failure).catch(failed);
  await lock?.unlock().catch((error: unknown) => onDiskFailure?.(error));
  const { status, run_id } = outcomeOf(turn.reports);
  const duration_ms = Math.round(performance.now() - started);
  log.info({ status, run_id, duration_ms }, 'An analysis ends.');
  return failure;
}

/** Takes the lock, and tidies up before anything else is done under it. */
export async function takeAnalysisLock(
  output: VarFolders,
  options: LockOptions,
  now = new Date(),
): Promise<FolderLock> {
  const lock = await acquireLock(output.state_dir, 'analysis', options);
  try {
    await tidyUp(output, now);
    return lock;
  } catch (error) {
    await lock.unlock();
    throw error;
  }
}

/** Gives the turn what it has with the lock, and starts the marker. Returns what shows the progress there. */
async function holdTurn(
  turn: Turn,
  lock: FolderLock,
  { output, now = () => new Date() }: TurnTools,
): Promise<OnFiles> {
  const { state_dir, results_dir } = output;
  const { callers } = turn;
  const stored = await openResultsStore(results_dir).listRuns();
  const named = callers.filter((webId) => webId !== null);
  const marker = await markAnalysisStarted(state_dir, now(), named.length);
  turn.hold({
    runIds: nextRunIds(stored, { count: callers.length, now: now() }),
    requireLock: () => lock.requireHeld(),
    noteEnd: (reports) => marker.ended(outcomeOf(reports), now()),
  });
  // Once the end is noted, the marker takes no more of this. A disk that fails is told of at the end.
  return (read, all) => void marker.read({ read, all }).catch(() => undefined);
}

/** Past the limit the calls are cancelled, but answered FAILED. */
async function analyseInTime(
  turn: Turn,
  timeoutSeconds: number | null,
  analyse: () => Promise<void>,
): Promise<Error | null> {
  const timeOut = () => turn.cancelAll('timeout');
  const timer = timeoutSeconds === null ? undefined : setTimeout(timeOut, timeoutSeconds * 1000);
  try {
    await analyse();
    return null;
  } catch (error) {
    // After a Cancel the error is whatever happened to throw: the signal has the reason, which run-once ends with.
    return asError(turn.signal.aborted ? turn.signal.reason : error);
  } finally {
    clearTimeout(timer);
  }
}

/** The best outcome of any call stands for the whole analysis. Names no caller. */
function outcomeOf(reports: readonly AnalysisReport[]) {
  const order = ['COMPLETED', 'NO_DATA', 'FAILED', 'CANCELLED'] as const;
  const status = order.find((each) => reports.some((report) => report.status === each)) ?? 'FAILED';
  const best = reports.filter((report) => report.status === status);
  const stored = best.filter(hasRunDocument).map(({ run_id }) => run_id);
  const run_id = stored.sort().at(-1) ?? null;
  const messages = new Set(best.map((report) => report.message));
  const [message = failureSentence(null)] = messages;
  const isForAll = messages.size < 2 && !best.some(({ isPersonal }) => isPersonal);
  return { status, run_id, message: isForAll ? message : '' };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
