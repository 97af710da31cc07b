import { randomUUID } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';
import {
  type AnalysisReport,
  reportOfFailure,
  reportWithoutResult,
} from '../run/analysis-report.js';
import type { Assignment, NamedCall } from '../run/assignment.js';

export type CancelReason = 'cancel' | 'caller gone' | 'shutdown' | 'timeout';

/** In words for callers; a timeout is a failure. */
const reasons: Record<CancelReason, string> = {
  cancel: 'The analysis was cancelled.',
  'caller gone': 'The caller hung up, so the analysis was cancelled.',
  shutdown: 'The service is shutting down, so the analysis was cancelled.',
  timeout: 'The analysis took too long and was abandoned.',
};

export function cancelledReport(reason: CancelReason): AnalysisReport {
  return reportWithoutResult(reason === 'timeout' ? 'FAILED' : 'CANCELLED', reasons[reason]);
}

/** A disk that hangs holds no answer back. */
const NOTE_LIMIT_MS = 1_000;

/** Where a call stands, with what it has there. */
type CallState =
  | { readonly kind: 'waiting' }
  /** In a turn that has not passed the last checkpoint. */
  | { readonly kind: 'running'; readonly turn: Turn }
  /** Past the last checkpoint: its result is on its way, and nothing cancels it. */
  | { readonly kind: 'committed' }
  | { readonly kind: 'answered'; readonly report: AnalysisReport };

/** One call for an analysis, from its arrival to its answer. Only the main thread has it. */
export class Call implements NamedCall {
  readonly id = randomUUID();
  /** Empty until its turn has the lock and the marker. */
  runId = '';
  state: CallState = { kind: 'waiting' };
  /** Resolves with the answer when it may leave, which is later than `answered` while the end of the turn is noted. */
  readonly sent: Promise<AnalysisReport>;
  #send: (report: AnalysisReport | Promise<AnalysisReport>) => void = () => undefined;

  constructor(
    readonly webId: string | null,
    /** The network address that it comes from. */
    readonly peer = '',
    /** Called when its turn begins. */
    readonly onTurn?: () => void,
  ) {
    this.sent = new Promise((resolve) => {
      this.#send = resolve;
    });
  }

  begin(turn: Turn): void {
    this.state = { kind: 'running', turn };
    this.onTurn?.();
  }

  /** Answers the call, unless it is past the last checkpoint, or answered: then it returns false. */
  cancel(reason: CancelReason): boolean {
    const { state } = this;
    if (state.kind === 'running') state.turn.leave(this, reason);
    else if (state.kind === 'waiting') this.settle(cancelledReport(reason));
    else return false;
    return true;
  }

  /** The answer leaves at once, or after `noted`. */
  settle(report: AnalysisReport, noted?: Promise<void>): void {
    this.state = { kind: 'answered', report };
    this.#send(noted?.then(() => report) ?? report);
  }
}

/** What a door tells of a call. */
export type NewCall = Pick<Call, 'webId'> & Partial<Pick<Call, 'peer' | 'onTurn'>>;

/** What a turn has once it holds the lock of var/ and its marker is written. */
export interface Held {
  /** One for each caller, so that Cancel can name the run that it ends. */
  runIds: readonly string[];
  /** Throws when the lock is lost, so that nothing is written then. */
  requireLock: () => Promise<void>;
  /** Notes how the turn ended. */
  noteEnd: (reports: readonly AnalysisReport[]) => Promise<void>;
}

/** The right to analyse, and the calls that it took from those that waited. It decides what is cancelled and what goes on. */
export class Turn implements Assignment {
  readonly #cancelling = new AbortController();
  readonly #endingWriting = new AbortController();
  /** Null until the turn has the lock and the marker. */
  #held: Held | null = null;
  /** Null until the last call is answered, and when there was nothing to note. */
  #noted: Promise<void> | null = null;

  constructor(readonly calls: readonly Call[]) {
    for (const call of calls) call.begin(this);
  }

  get signal(): AbortSignal {
    return this.#cancelling.signal;
  }

  get writingEnds(): AbortSignal {
    return this.#endingWriting.signal;
  }

  /** Also cancels a turn that has not passed the last checkpoint: it could publish nothing any more. */
  endWriting(): void {
    this.cancelAll('shutdown');
    this.#endingWriting.abort();
  }

  /** The WebIDs of the callers, in order of their first calls; calls of one WebID are one caller. */
  get callers(): readonly (string | null)[] {
    return [...new Set(this.calls.map(({ webId }) => webId))];
  }

  /** The answers so far. */
  get reports(): readonly AnalysisReport[] {
    return this.calls.flatMap(({ state }) => (state.kind === 'answered' ? [state.report] : []));
  }

  hold(held: Held): void {
    this.#held = held;
    const ids = new Map(this.callers.map((webId, index) => [webId, held.runIds[index] ?? '']));
    for (const call of this.calls) call.runId = ids.get(call.webId) ?? '';
  }

  cancelAll(reason: CancelReason): void {
    for (const call of this.calls) call.cancel(reason);
  }

  /** Answers a call that was cancelled, and ends the analysis when nobody waits for it any more. */
  leave(call: Call, reason: CancelReason): void {
    this.#answerOnce(call, cancelledReport(reason));
    if (this.#unanswered.length > 0) return;
    const kind = reason === 'timeout' ? 'timeout' : 'cancelled';
    this.#cancelling.abort(new AnalyserError(kind, reasons[reason]));
  }

  async commit(): Promise<readonly Call[]> {
    if (this.#held === null) throw new Error('Nothing is written without the lock.');
    await this.#held.requireLock();
    // If all calls were cancelled, meanwhile too.
    this.signal.throwIfAborted();
    const calls = this.#unanswered;
    for (const call of calls) call.state = { kind: 'committed' };
    return calls;
  }

  answer(callId: string, report: AnalysisReport): void {
    const call = this.calls.find(({ id }) => id === callId);
    if (call !== undefined) this.#answerOnce(call, report);
  }

  /** Answers the calls that the analysis left without an answer. Rejects when the end of the turn could not be noted. */
  async end(failure: unknown): Promise<void> {
    for (const call of this.calls) this.#answerOnce(call, reportOfFailure(failure));
    // If all were cancelled before the turn had its marker, nobody has noted the end.
    await this.#noteEnd(this.reports);
  }

  get #unanswered(): readonly Call[] {
    return this.calls.filter(({ state }) => state.kind !== 'answered');
  }

  /** Only the first answer of a call counts. The last one of a turn waits until its end is noted, if that is quick. */
  #answerOnce(call: Call, report: AnalysisReport): void {
    const unanswered = this.#unanswered;
    if (!unanswered.includes(call)) return;
    const noted = unanswered.length === 1 ? this.#noteEnd([...this.reports, report]) : null;
    const inTime =
      noted &&
      new Promise<void>((resolve) => {
        noted.then(resolve, () => resolve());
        setTimeout(resolve, NOTE_LIMIT_MS).unref();
      });
    call.settle(report, inTime ?? undefined);
  }

  /** Once. Null before the turn has the marker: then there is nothing to note it in. */
  #noteEnd(reports: readonly AnalysisReport[]): Promise<void> | null {
    if (this.#held !== null) this.#noted ??= this.#held.noteEnd(reports);
    return this.#noted;
  }
}
