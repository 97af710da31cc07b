import { AnalyserError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Config } from '../config/schema.js';
import { type AnalysisReport, hasRunDocument, reportOfFailure } from '../queue/analysis-report.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { stopError } from '../queue/stop-reasons.js';
import type { Turn } from '../queue/turn.js';
import { type AnalysisLock, acquireAnalysisLock } from '../store/analysis-lock.js';
import { cleanTemporaryFiles } from '../store/atomic-file.js';
import { figuresFolder } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { nextRunIds } from '../store/run-id.js';
import { markAnalysisStarted } from '../store/state-marker.js';
import type { NamedTurn } from './named-turn.js';

export interface TurnTools {
  output: Pick<Config['output'], 'state_dir' | 'results_dir' | 'charts_dir'>;
  /** Counted from the start of the turn; null for no limit. */
  timeoutSeconds: number | null;
  log: Logger;
  now?: () => Date;
  /** Called when files below var/ fail outside the analysis itself. */
  onDiskFailure?: (error: unknown) => void;
}

type Analyse = (turn: NamedTurn) => Promise<void>;

/**
 * One analysis with everything around it: the lock against other processes of this var/, the time
 * limit, the run ids, and the marker that tells the HTTP API what is going on. Throws why calls
 * got no answer.
 */
export async function performTurn(turn: Turn, tools: TurnTools, analyse: Analyse): Promise<void> {
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
    log.info({ callers: turn.calls.length }, 'An analysis starts.');
    if (lock.afterCrash) await cleanUp(tools.output);
    failure = await performLocked(turn, tools, reports, analyse);
  } catch (error) {
    failure = asError(error);
    if (error instanceof AnalyserError && error.kind === 'disk') onDiskFailure?.(error);
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

/** Adds what callers are told to `reports`; returns why some are told nothing, or null. */
async function performLocked(
  turn: Turn,
  { output, timeoutSeconds, now = () => new Date() }: TurnTools,
  reports: AnalysisReport[],
  analyse: Analyse,
): Promise<Error | null> {
  const { state_dir, results_dir } = output;
  const given = await nextRunIds(state_dir, openResultsStore(results_dir).hasRun, {
    count: turn.calls.length,
    now: now(),
    previous: turn.previousRunId,
  });
  const calls = turn.calls.map((call, index) => ({ ...call, runId: given[index] ?? '' }));
  for (const { id, runId } of calls) turn.named(id, runId);
  const callers = new Set(calls.flatMap(({ webId }) => webId ?? []));
  const marker = await markAnalysisStarted(state_dir, now(), callers.size);
  const limit = new AbortController();
  // Past the limit the turn is stopped as by a Cancel, but its calls are FAILED.
  const timer =
    timeoutSeconds === null
      ? undefined
      : setTimeout(() => limit.abort(stopError('timeout')), timeoutSeconds * 1000);
  const signal = AbortSignal.any([turn.signal, limit.signal]);
  let failure: Error | null = null;
  try {
    await analyse({
      calls,
      signal,
      async commit() {
        signal.throwIfAborted();
        clearTimeout(timer);
        return await turn.commit();
      },
      answer(id, report) {
        reports.push(report);
        turn.answer(id, report);
      },
      onFiles(read, all) {
        // It is only shown; what else is wrong with the disk shows at the end.
        marker.read({ read, all }).catch(() => undefined);
      },
    });
  } catch (error) {
    // The analysis has logged its error. After a stop any error may follow; the reason is the stop.
    failure = asError(signal.aborted ? signal.reason : error);
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
  const status = order.find((one) => reports.some((report) => report.status === one)) ?? 'FAILED';
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
