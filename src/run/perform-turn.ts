import { AnalyserError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Config } from '../config/schema.js';
import type { Turn } from '../queue/analysis-queue.js';
import { type AnalysisReport, reportWithoutResult } from '../queue/analysis-report.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { withTimeLimit } from '../queue/time-limit.js';
import { type AnalysisLock, acquireAnalysisLock } from '../store/analysis-lock.js';
import { cleanTemporaryFiles } from '../store/atomic-file.js';
import { figuresFolder } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { openRunIds } from '../store/run-id.js';
import { type EndedAnalysis, markAnalysisStarted } from '../store/state-marker.js';
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
 * limit, the run ids, and the marker that tells the HTTP API what is going on. At its end every
 * call has been answered, whatever happened.
 */
export async function performTurn(turn: Turn, tools: TurnTools, analyse: Analyse): Promise<void> {
  const { log } = tools;
  const answers = new Answers(turn);
  let lock: AnalysisLock | null = null;
  const started = performance.now();
  try {
    lock = await acquireAnalysisLock(tools.output.state_dir, {
      signal: turn.signal,
      onWait: () => log.info('Another process runs an analysis; this one waits for its turn.'),
    });
    log.info({ callers: turn.calls.length }, 'An analysis starts.');
    await performLocked(turn, tools, answers, lock.afterCrash, analyse);
  } catch (error) {
    answers.fail(error);
    if (isDiskFailure(error)) tools.onDiskFailure?.(error);
    if (!turn.signal.aborted) log.error({ err: error }, 'An analysis failed.');
  } finally {
    await lock?.release().catch((error: unknown) => tools.onDiskFailure?.(error));
  }
  const { status, run_id } = answers.outcome();
  const duration_ms = Math.round(performance.now() - started);
  log.info({ status, run_id, duration_ms }, 'An analysis ends.');
  answers.giveLast();
}

async function performLocked(
  turn: Turn,
  tools: TurnTools,
  answers: Answers,
  afterCrash: boolean,
  analyse: Analyse,
): Promise<void> {
  const { output, timeoutSeconds, now = () => new Date() } = tools;
  const { state_dir, results_dir, charts_dir } = output;
  if (afterCrash) {
    await cleanTemporaryFiles([state_dir, figuresFolder(state_dir), results_dir, charts_dir]);
  }
  const { hasRun } = openResultsStore(results_dir);
  const runIds = openRunIds(state_dir, hasRun);
  const given = await runIds.next(turn.calls.length, now(), turn.previousRunId);
  const calls = turn.calls.map((call, index) => ({ ...call, runId: given[index] ?? '' }));
  for (const { id, runId } of calls) {
    turn.named(id, runId);
    answers.named(id, runId);
  }
  const marker = await markAnalysisStarted(state_dir, now());
  const limited = withTimeLimit(turn, timeoutSeconds);
  try {
    const commit = async () => answers.expectOnly(await limited.commit());
    const answer = (id: string, report: AnalysisReport) => answers.add(id, report);
    // An analysis logs its own failures.
    await analyse({ calls, signal: limited.signal, commit, answer });
  } catch (error) {
    // An analysis that was stopped can fail in many ways; the reason is still the stop.
    answers.fail(limited.signal.aborted ? limited.signal.reason : error);
  } finally {
    limited.release();
    const outcome = answers.outcome();
    if (outcome.status === 'CANCELLED') await marker.cancelled(now());
    else await marker.ended({ ...outcome, status: outcome.status }, now());
  }
}

type TurnOutcome = Omit<EndedAnalysis, 'started_at' | 'finished_at' | 'status'> & {
  status: AnalysisReport['status'];
};

/**
 * Collects the reports of a turn. The last caller is answered when the marker has been written and
 * the lock released, so that whoever looks after that reply sees the analysis ended.
 */
class Answers {
  readonly #turn: Turn;
  readonly #reports = new Map<string, AnalysisReport>();
  readonly #runIds = new Map<string, string>();
  #expected: ReadonlySet<string>;
  #last: [string, AnalysisReport] | null = null;

  constructor(turn: Turn) {
    this.#turn = turn;
    this.#expected = new Set(turn.calls.map(({ id }) => id));
  }

  named(id: string, runId: string): void {
    this.#runIds.set(id, runId);
  }

  expectOnly(ids: ReadonlySet<string>): ReadonlySet<string> {
    this.#expected = ids;
    return ids;
  }

  add(id: string, report: AnalysisReport): void {
    if (this.#reports.has(id) || !this.#expected.has(id)) return;
    this.#reports.set(id, report);
    if (this.#reports.size === this.#expected.size) this.#last = [id, report];
    else this.#turn.answer(id, report);
  }

  /** Answers all calls that have no answer yet. */
  fail(error: unknown): void {
    const isStopped = error instanceof AnalyserError && error.kind === 'cancelled';
    const status = isStopped ? 'CANCELLED' : 'FAILED';
    for (const id of this.#expected) {
      const runId = this.#runIds.get(id) ?? '';
      this.add(id, reportWithoutResult(status, failureSentence(error), runId));
    }
  }

  giveLast(): void {
    if (this.#last !== null) this.#turn.answer(...this.#last);
  }

  /** The best outcome of any call stands for the whole analysis. Names no caller. */
  outcome(): TurnOutcome {
    const reports = [...this.#reports.values()];
    const order = ['COMPLETED', 'NO_DATA', 'FAILED', 'CANCELLED'] as const;
    const status = order.find((one) => reports.some((report) => report.status === one)) ?? 'FAILED';
    const best = reports.filter((report) => report.status === status);
    const isStored = status === 'COMPLETED' || status === 'NO_DATA';
    const runIds = best.map(({ run_id }) => run_id).sort();
    const runId = isStored ? (runIds.at(-1) ?? null) : null;
    const messages = new Set(best.map((report) => report.message));
    const [message = failureSentence(null)] = messages;
    // A message to one of several callers, or with an address in it, is for that caller only.
    if (messages.size > 1 || message.includes('://')) return { status, run_id: runId, message: '' };
    return { status, run_id: runId, message };
  }
}

function isDiskFailure(error: unknown): boolean {
  return error instanceof AnalyserError && error.kind === 'disk';
}
