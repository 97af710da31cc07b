import type { AnalyserError } from '../base/errors.js';
import {
  type AnalysisReport,
  hasRunDocument,
  reportOfFailure,
  stopError,
} from './analysis-report.js';
import { QueuedCall, RunningTurn } from './running-turn.js';
import {
  type FoundCall,
  type LastRun,
  type NewCall,
  QueueFullError,
  type QueueLimits,
  type RunTurn,
} from './turn.js';

export type QueueSettings = ConstructorParameters<typeof AnalysisQueue>;

/**
 * Who waits for an analysis, and what Cancel and Status speak of; in one process or over many. It
 * holds the calls that come through this process's door, until they are answered.
 */
export abstract class AnalysisQueue {
  /** Every accepted call, running and waiting. */
  abstract readonly inHand: number;
  /** Why no call can get a turn, in words for callers; empty when they can. */
  problem = '';
  readonly #listeners: Array<() => void> = [];
  /** Calls that came through this door and have no answer yet, in order of arrival. */
  protected readonly ownCalls = new Map<string, QueuedCall>();
  /** Null while this process does not have the turn. */
  protected running: RunningTurn | null = null;
  protected isClosed = false;

  constructor(
    protected readonly limits: QueueLimits,
    protected readonly runTurn: RunTurn,
    public lastRun: LastRun = { id: '', at: '' },
  ) {}

  /**
   * Resolves exactly once, with what the caller is told; rejects with a QueueFullError.
   * `hungUp` takes this one call out.
   */
  async enqueue(call: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    const refusal = this.#whyNotWanted(hungUp);
    if (refusal !== null) return reportOfFailure(refusal);
    const queued = this.admit(call);
    const hangUp = () => {
      const reason = this.#whyNotWanted(hungUp);
      if (reason !== null) this.withdraw(queued, reason);
    };
    hungUp.addEventListener('abort', hangUp, { once: true });
    try {
      await this.addToQueue(queued);
      if (queued.state === 'waiting') hangUp();
      const report = await queued.answered;
      this.noteLastRun(report);
      return report;
    } finally {
      hungUp.removeEventListener('abort', hangUp);
      this.leave(queued);
    }
  }

  /** Called whenever `problem` may have changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** No call gets a turn any more; the calls that have one keep it. */
  close(): void {
    this.isClosed = true;
    for (const queued of this.ownCalls.values()) {
      if (queued.state === 'waiting') this.withdraw(queued, stopError('shutdown'));
    }
  }

  stopRunning(): void {
    this.running?.stopAll(stopError('shutdown'));
  }

  async whenEmpty(): Promise<void> {
    await Promise.all([...this.ownCalls.values()].map(({ answered }) => answered));
    await this.running?.ended;
  }

  /** Stops every call of the caller that has not passed the last checkpoint. */
  abstract cancel(caller: string): Promise<FoundCall[]>;

  /** Throws a QueueFullError. */
  protected abstract admit(call: NewCall): QueuedCall;
  /** From now on it is one of `ownCalls`. */
  protected abstract addToQueue(queued: QueuedCall): Promise<void> | void;

  /** Takes out a call whose caller is gone, or whose process is about to end. */
  protected withdraw(queued: QueuedCall, error: AnalyserError): void {
    this.stop(queued, error);
  }

  /** Returns whether the call stops; false past the last checkpoint. */
  protected stop(queued: QueuedCall, error: AnalyserError): boolean {
    if (this.running?.find(queued.id)) return this.running.stop(queued, error);
    queued.answerFailure(error);
    return true;
  }

  protected leave({ id }: QueuedCall): void {
    this.ownCalls.delete(id);
  }

  protected tellProblem(problem: string): void {
    if (problem === this.problem) return;
    this.problem = problem;
    for (const listener of this.#listeners) listener();
  }

  protected noteLastRun(report: AnalysisReport): void {
    if (!hasRunDocument(report) || report.run_id <= this.lastRun.id) return;
    this.lastRun = { id: report.run_id, at: report.generated_at };
  }

  #whyNotWanted(hungUp: AbortSignal): AnalyserError | null {
    if (this.isClosed) return stopError('shutdown');
    return hungUp.aborted ? stopError('caller gone') : null;
  }

  protected requireRoom({ caller, peer }: Origin, inHand: readonly Origin[]): void {
    const { all, perCaller, perPeer } = this.limits;
    if (inHand.length >= all) throw new QueueFullError('all');
    if (inHand.filter((origin) => origin.caller === caller).length >= perCaller) {
      throw new QueueFullError('perCaller');
    }
    if (inHand.filter((origin) => origin.peer === peer).length >= perPeer) {
      throw new QueueFullError('perPeer');
    }
  }
}

type Origin = Pick<NewCall, 'caller' | 'peer'>;

/**
 * The queue of one process: calls take their turns in order of arrival, at most
 * `callersPerTurn` together. Its memory decides which calls were stopped and which have passed the
 * last checkpoint, so Cancel and the analysis are always told the same.
 */
export class InProcessQueue extends AnalysisQueue {
  get inHand(): number {
    return this.ownCalls.size;
  }

  /** Their callers hear of it where `enqueue` waits for the answer. */
  cancel(caller: string): Promise<FoundCall[]> {
    const found = [...this.ownCalls.values()].filter(({ call }) => call.caller === caller);
    const stop = (queued: QueuedCall) => this.stop(queued, stopError('cancel'));
    return Promise.resolve(found.map((queued) => ({ runId: queued.runId, stopped: stop(queued) })));
  }

  protected admit(call: NewCall): QueuedCall {
    this.requireRoom(
      call,
      [...this.ownCalls.values()].map((queued) => queued.call),
    );
    return new QueuedCall(call);
  }

  protected addToQueue(queued: QueuedCall): void {
    this.ownCalls.set(queued.id, queued);
    this.#startNext();
  }

  #startNext(): void {
    if (this.running !== null) return;
    const waiting = [...this.ownCalls.values()].filter(({ state }) => state === 'waiting');
    if (waiting.length === 0) return;
    this.running = new RunningTurn(waiting.slice(0, this.limits.callersPerTurn));
    void this.running.run(this.runTurn).then(() => {
      this.running = null;
      this.#startNext();
    });
  }
}
