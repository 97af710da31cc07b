import { isDiskError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Config } from '../config/schema.js';
import {
  type AnalysisReport,
  failureSentence,
  hasRunDocument,
  reportOfFailure,
  stopError,
} from '../queue/analysis-report.js';
import type { NewTurn, Turn } from '../queue/turn.js';
import { type AnalysisLock, acquireAnalysisLock } from '../store/analysis-lock.js';
import { cleanTemporaryFiles } from '../store/atomic-file.js';
import { figuresFolder } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { nextRunIds } from '../store/run-id.js';
import { markAnalysisStarted } from '../store/state-marker.js';
import type { OnFiles } from './read/read-task.js';

export interface TurnTools {
  output: Pick<Config['output'], 'state_dir' | 'results_dir' | 'charts_dir'>;
  /** Counted from the start of the turn; null for no limit. */
  timeoutSeconds: number | null;
  log: Logger;
  now?: () => Date;
  /** Called when files below var/ fail outside the analysis itself. */
  onDiskFailure?: (error: unknown) => void;
}

type Analyse = (turn: Turn, onFiles: OnFiles) => Promise<void>;

/**
 * One analysis with everything around it: the lock against other processes of this var/, the run
 * ids, the time limit, and the marker that tells the HTTP API what is going on. Throws why calls
 * got no answer.
 */
export async function performTurn(
  turn: NewTurn,
  tools: TurnTools,
  analyse: Analyse,
): Promise<void> {
  const { log, onDiskFailure } = tools;
  const reports: AnalysisReport[] = [];
  let failure: Error | null = null;
  let lock: AnalysisLock | null = null;
  const started = performance.now();
  try {
    lock = await acquireAnalysisLock(tools.output.state_dir, {
      signal: turn.signal,
      onWait: () => log.info('Another process runs an analysis; this one waits for its turn.'),
    });
    log.info({ callers: turn.size }, 'An analysis starts.');
    if (lock.afterCrash) await cleanUp(tools.output);
    failure = await performLocked(turn, tools, reports, analyse);
  } catch (error) {
    failure = asError(error);
    if (isDiskError(error)) onDiskFailure?.(error);
    if (!turn.signal.aborted) log.error({ err: error }, 'An analysis failed.');
  } finally {
    await lock?.release().catch((error: unknown) => onDiskFailure?.(error));
  }
  const { status, run_id } = outcomeOf(reports, failure);
  const duration_ms = Math.round(performance.now() - started);
  log.info({ status, run_id, duration_ms }, 'An analysis ends.');
  if (failure !== null) throw failure;
}

async function cleanUp({ state_dir, results_dir, charts_dir }: TurnTools['output']): Promise<void> {
  await cleanTemporaryFiles([state_dir, figuresFolder(state_dir), results_dir, charts_dir]);
}

/**
 * Adds what callers are told to `reports`. Returns why some are told nothing, which whoever performs
 * the analysis has logged; throws what went wrong around it.
 */
async function performLocked(
  newTurn: NewTurn,
  { output, timeoutSeconds, now = () => new Date() }: TurnTools,
  reports: AnalysisReport[],
  analyse: Analyse,
): Promise<Error | null> {
  const { state_dir, results_dir } = output;
  const runIds = await nextRunIds(state_dir, openResultsStore(results_dir).hasRun, {
    count: newTurn.size,
    now: now(),
    previous: newTurn.previousRunId,
  });
  const turn = newTurn.giveRunIds(runIds);
  const callers = new Set(turn.calls.flatMap(({ webId }) => webId ?? []));
  const marker = await markAnalysisStarted(state_dir, now(), callers.size);
  // Past the limit the turn is stopped as by a Cancel, but its calls are FAILED.
  const timeOut = () => newTurn.stopAll(stopError('timeout'));
  const timer = timeoutSeconds === null ? undefined : setTimeout(timeOut, timeoutSeconds * 1000);
  let failure: Error | null = null;
  const answer: Turn['answer'] = (id, report) => {
    reports.push(report);
    turn.answer(id, report);
  };
  const onFiles: OnFiles = (read, all) => {
    // It is only shown; what else is wrong with the disk shows at the end.
    marker.read({ read, all }).catch(() => undefined);
  };
  try {
    await analyse({ ...turn, answer }, onFiles);
  } catch (error) {
    // Whoever stopped the analysis has said why; what it threw afterwards does not matter.
    failure = asError(turn.signal.aborted ? turn.signal.reason : error);
  } finally {
    clearTimeout(timer);
  }
  const { status, ...rest } = outcomeOf(reports, failure);
  if (status === 'CANCELLED') await marker.cancelled(now());
  else await marker.ended({ status, ...rest }, now());
  return failure;
}

/** The best outcome of any call stands for the whole analysis. Names no caller. */
function outcomeOf(given: readonly AnalysisReport[], failure: Error | null) {
  const reports = [...given, ...(failure === null ? [] : [reportOfFailure(failure)])];
  const order = ['COMPLETED', 'NO_DATA', 'FAILED', 'CANCELLED'] as const;
  const status = order.find((each) => reports.some((report) => report.status === each)) ?? 'FAILED';
  const best = reports.filter((report) => report.status === status);
  const stored = best.filter(hasRunDocument).map(({ run_id }) => run_id);
  const run_id = stored.sort().at(-1) ?? null;
  const messages = new Set(best.map((report) => report.message));
  const [message = failureSentence(null)] = messages;
  // A message to one of several callers, or with an address in it, is for that caller only.
  const isForOne = messages.size > 1 || message.includes('://');
  return { status, run_id, message: isForOne ? '' : message };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
