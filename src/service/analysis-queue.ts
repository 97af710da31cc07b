import type { AnalyserError } from '../base/errors.js';
import {
  type AnalysisReport,
  hasRunDocument,
  reportOfFailure,
  reportWithoutResult,
  stopError,
} from '../run/analysis-report.js';
import { takeInRotation, whoGivesWay } from './fairness.js';
import {
  type FoundCall,
  type LastRun,
  type NewCall,
  QueueFullError,
  type QueueLimits,
  type RunTurn,
} from './queue-types.js';
import { QueuedCall, RunningTurn } from './running-turn.js';

/**
 * Holds the calls until they are answered; Cancel and Status ask the queue. A turn takes the calls that wait, in
 * rotation over network addresses and otherwise in order of arrival, at most `callersPerTurn` of them. Only the queue
 * knows which calls were stopped and which have passed the last checkpoint, so Cancel and the analysis always agree.
 */
export class AnalysisQueue {
  /** Calls without an answer, in order of arrival. */
  readonly #calls = new Set<QueuedCall>();
  #turn: RunningTurn | null = null;
  #isClosed = false;

  constructor(
    private readonly limits: QueueLimits,
    private readonly runTurn: RunTurn,
    public lastRun: LastRun = { id: '', at: '' },
  ) {}

  /** The number of accepted calls, running and waiting. */
  get inHand(): number {
    return this.#calls.size;
  }

  /**
   * Resolves with the report for the caller; rejects with a QueueFullError. An abort of `hungUp` stops this call
   * alone.
   */
  async enqueue(call: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    if (this.#isClosed) return reportOfFailure(stopError('shutdown'));
    if (hungUp.aborted) return reportOfFailure(stopError('caller gone'));
    const queued = new QueuedCall(call);
    this.#makeRoom(queued);
    const hangUp = () => void this.#stop(queued, stopError('caller gone'));
    hungUp.addEventListener('abort', hangUp, { once: true });
    this.#calls.add(queued);
    this.#startNext();
    const report = await queued.answered;
    hungUp.removeEventListener('abort', hangUp);
    this.#calls.delete(queued);
    this.#noteLastRun(report);
    return report;
  }

  /**
   * Stops those calls of the WebID that have not passed the last checkpoint. They get their answer through
   * `enqueue`.
   */
  cancel(webId: string): FoundCall[] {
    const found = [...this.#calls].filter(({ call }) => call.webId === webId);
    return found.map((queued) => ({
      runId: queued.runId,
      stopped: this.#stop(queued, stopError('cancel')),
    }));
  }

  /** Stops the calls that wait, and takes no new ones; the running turn goes on. */
  close(): void {
    this.#isClosed = true;
    for (const queued of this.#waiting()) this.#stop(queued, stopError('shutdown'));
  }

  stopRunning(): void {
    this.#turn?.stopAll(stopError('shutdown'));
  }

  async whenEmpty(): Promise<void> {
    await Promise.all([...this.#calls].map(({ answered }) => answered));
    await this.#turn?.ended;
  }

  /** Returns whether the call stops; false past the last checkpoint. */
  #stop(queued: QueuedCall, error: AnalyserError): boolean {
    if (queued.state !== 'waiting') return this.#turn?.stop(queued, error) ?? false;
    queued.answerFailure(error);
    return true;
  }

  #waiting(): QueuedCall[] {
    return [...this.#calls].filter(({ state }) => state === 'waiting');
  }

  #startNext(): void {
    if (this.#turn !== null) return;
    const waiting = this.#waiting();
    if (waiting.length === 0) return;
    this.#turn = new RunningTurn(takeInRotation(waiting, this.limits.callersPerTurn));
    void this.#turn.run(this.runTurn).then(() => {
      this.#turn = null;
      this.#startNext();
    });
  }

  #noteLastRun(report: AnalysisReport): void {
    if (!hasRunDocument(report)) return;
    const { run_id: id, generated_at: at } = report;
    // As for latest.json, ids are compared only within one analysis, because a clock may have run ahead before.
    if (at === this.lastRun.at && id < this.lastRun.id) return;
    this.lastRun = { id, at };
  }

  /** Throws a QueueFullError, unless there is room or another waiting call gives way. */
  #makeRoom(arrived: QueuedCall): void {
    const { webId, peer } = arrived.call;
    const { all, perCaller, perPeer } = this.limits;
    const inHand = [...this.#calls].filter(({ state }) => state !== 'answered');
    if (inHand.filter(({ call }) => call.webId === webId).length >= perCaller) {
      throw new QueueFullError('perCaller');
    }
    if (inHand.filter(({ call }) => call.peer === peer).length >= perPeer) {
      throw new QueueFullError('perPeer');
    }
    if (inHand.length < all) return;
    const calls = [...inHand, arrived].map(({ call }) => call);
    const waiting = [...this.#waiting(), arrived];
    const leaving = whoGivesWay(
      calls,
      waiting.map(({ call }) => call),
    );
    const found = waiting.find(({ call }) => call === leaving);
    const refusal = new QueueFullError('all');
    if (found === arrived || found === undefined) throw refusal;
    found.answer(reportWithoutResult('FAILED', refusal.message));
  }
}
