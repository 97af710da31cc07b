import { randomUUID } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';
import {
  type AnalysisReport,
  reportOfFailure,
  reportWithoutResult,
} from '../run/analysis-report.js';
import type { Assignment, NamedCall } from '../run/assignment.js';

type CancelReason = 'cancel' | 'caller gone' | 'shutdown' | 'timeout';

/** In words for callers; a timeout is a failure. */
const reasons: Record<CancelReason, string> = {
  cancel: 'The analysis was cancelled.',
  'caller gone': 'The caller hung up, so the analysis was cancelled.',
  shutdown: 'The service is shutting down, so the analysis was cancelled.',
  timeout: 'The analysis took too long and was abandoned.',
};

/** A disk that hangs holds no answer back. */
const NOTE_LIMIT_MS = 1_000;

/** What a door tells of a call. */
export interface NewCall {
  webId: string | null;
  /** The network address that it comes from. */
  peer?: string;
  /** Called when its turn begins. */
  onTurn?: () => void;
}

/** One call for an analysis, from its arrival to its answer. Only the main thread has it. */
export class Call implements NamedCall {
  readonly id = randomUUID();
  readonly webId: string | null;
  readonly peer: string;
  /** Empty while the call waits. */
  runId = '';
  /** Past the last checkpoint a call is `committed`: its result is on its way, and nothing cancels it. */
  state: 'waiting' | 'running' | 'committed' | 'answered' = 'waiting';
  readonly answered: Promise<AnalysisReport>;
  /** Null until it has one. */
  report: AnalysisReport | null = null;
  readonly #onTurn: NewCall['onTurn'];
  #turn: Turn | null = null;
  #resolve: (report: AnalysisReport) => void = () => undefined;

  constructor({ webId, peer = '', onTurn }: NewCall) {
    this.webId = webId;
    this.peer = peer;
    this.#onTurn = onTurn;
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  begin(turn: Turn): void {
    this.state = 'running';
    this.#turn = turn;
    this.#onTurn?.();
  }

  /** Answers the call, waiting or running; returns false when it is past the last checkpoint. */
  cancel(reason: CancelReason): boolean {
    if (this.state !== 'waiting' && this.state !== 'running') return false;
    const isTimeout = reason === 'timeout';
    const message = reasons[reason];
    this.answer(reportWithoutResult(isTimeout ? 'FAILED' : 'CANCELLED', message));
    if (this.#turn?.isAnswered) {
      this.#turn.abort(new AnalyserError(isTimeout ? 'timeout' : 'cancelled', message));
    }
    return true;
  }

  /** Only the first answer counts. The last one of a turn leaves when its end is noted, or cannot be. */
  answer(report: AnalysisReport): void {
    if (this.state === 'answered') return;
    this.state = 'answered';
    this.report = report;
    const leave = () => this.#resolve(report);
    if (this.#turn?.isAnswered !== true) {
      leave();
      return;
    }
    void this.#turn.noteEnd().then(leave, leave);
    setTimeout(leave, NOTE_LIMIT_MS).unref();
  }
}

/** The right to analyse, and the calls that were waiting when it began. It decides what is cancelled. */
export class Turn implements Assignment {
  readonly #cancelling = new AbortController();
  readonly #writing = new AbortController();
  /** Past the last checkpoint the analysis writes, unless this throws. */
  guardWriting: () => Promise<void> = () => Promise.resolve();
  /** Notes how the turn ended. */
  noteEnd: () => Promise<void> = () => Promise.resolve();

  constructor(readonly calls: readonly Call[]) {
    for (const call of calls) call.begin(this);
  }

  get signal(): AbortSignal {
    return this.#cancelling.signal;
  }

  get writingEnds(): AbortSignal {
    return this.#writing.signal;
  }

  endWriting(): void {
    this.#writing.abort();
  }

  /** The WebIDs of the callers, in order of their first calls; calls of one WebID are one caller. */
  get callers(): readonly (string | null)[] {
    return [...new Set(this.calls.map(({ webId }) => webId))];
  }

  /** The answers so far. */
  get reports(): readonly AnalysisReport[] {
    return this.calls.map(({ report }) => report).filter((report) => report !== null);
  }

  /** Takes one id for each caller, so that Cancel can name the run that it ends. */
  nameRuns(runIds: readonly string[]): void {
    const ids = new Map(this.callers.map((webId, index) => [webId, runIds[index] ?? '']));
    for (const call of this.calls) call.runId = ids.get(call.webId) ?? '';
  }

  cancelAll(reason: CancelReason): void {
    for (const call of this.calls) call.cancel(reason);
  }

  /** Whether all calls have an answer. */
  get isAnswered(): boolean {
    return this.calls.every(({ state }) => state === 'answered');
  }

  /** Nobody waits for the analysis any more. */
  abort(error: Error): void {
    this.#cancelling.abort(error);
  }

  async commit(): Promise<readonly Call[]> {
    this.signal.throwIfAborted();
    const calls = this.calls.filter(({ state }) => state === 'running');
    for (const call of calls) call.state = 'committed';
    await this.guardWriting();
    return calls;
  }

  answer(callId: string, report: AnalysisReport): void {
    this.calls.find(({ id }) => id === callId)?.answer(report);
  }

  /** Answers the calls that have no answer when the analysis has ended, because it failed. */
  end(failure: unknown): void {
    for (const call of this.calls) call.answer(reportOfFailure(failure));
  }
}
