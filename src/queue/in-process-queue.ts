import {
  type AnalysisQueue,
  type CancelledCall,
  type NewCall,
  QueueFullError,
  type QueueLimits,
  type RecordedRun,
  type RunTurn,
} from './analysis-queue.js';
import { type AnalysisReport, isRecorded, reportWithoutResult } from './analysis-report.js';
import { QueuedCall } from './queued-call.js';
import { RunningTurn } from './running-turn.js';
import { type StopReason, stopError } from './stop-reasons.js';

/**
 * The queue of one process: calls take their turns in order of arrival, at most
 * `callersPerTurn` together. Its memory says what was stopped and what has passed the last
 * checkpoint, so Cancel and the analysis are always told the same.
 */
export class InProcessQueue implements AnalysisQueue {
  readonly problem = '';
  lastRun: RecordedRun;
  readonly #limits: QueueLimits;
  readonly #runTurn: RunTurn;
  readonly #waiting: QueuedCall[] = [];
  #running: RunningTurn | null = null;
  #isClosed = false;
  readonly #onEmpty: Array<() => void> = [];

  constructor(limits: QueueLimits, runTurn: RunTurn, lastRun: RecordedRun = { id: '', at: '' }) {
    this.#limits = limits;
    this.#runTurn = runTurn;
    this.lastRun = lastRun;
  }

  get inHand(): number {
    return this.#inHand().length;
  }

  onChange(): void {
    // There is never a problem.
  }

  async enqueue(call: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    const reason = this.#isClosed ? 'shutdown' : hungUp.aborted ? 'caller gone' : null;
    if (reason !== null) return reportWithoutResult('CANCELLED', stopError(reason).message);
    this.#requireRoom(call);
    const queued = new QueuedCall(call);
    this.#waiting.push(queued);
    const hangUp = (): void => void this.#stop(queued, 'caller gone');
    hungUp.addEventListener('abort', hangUp, { once: true });
    this.#startNext();
    try {
      return await queued.answered;
    } finally {
      hungUp.removeEventListener('abort', hangUp);
    }
  }

  cancel(webId: string): Promise<CancelledCall[]> {
    const found = this.#inHand().filter(({ call }) => call.webId === webId);
    return Promise.resolve(
      found.map((queued) => ({ runId: queued.runId, stopped: this.#stop(queued, 'cancel') })),
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const queued of [...this.#waiting]) this.#stop(queued, 'shutdown');
  }

  stopRunning(): void {
    this.#running?.stopAll(stopError('shutdown'));
  }

  async whenEmpty(): Promise<void> {
    if (this.#running === null && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  #inHand(): QueuedCall[] {
    return [...(this.#running?.inHand ?? []), ...this.#waiting];
  }

  #requireRoom({ webId, peer }: NewCall): void {
    const { all, perCaller, perPeer } = this.#limits;
    const calls = this.#inHand().map(({ call }) => call);
    if (calls.length >= all) throw new QueueFullError('all');
    if (calls.filter((call) => call.webId === webId).length >= perCaller) {
      throw new QueueFullError('perCaller');
    }
    if (calls.filter((call) => call.peer === peer).length >= perPeer) {
      throw new QueueFullError('perPeer');
    }
  }

  #startNext(): void {
    if (this.#running !== null) return;
    const calls = this.#waiting.splice(0, this.#limits.callersPerTurn);
    if (calls.length === 0) {
      for (const resolve of this.#onEmpty.splice(0)) resolve();
      return;
    }
    const running = new RunningTurn(calls);
    this.#running = running;
    for (const queued of calls) void queued.answered.then((report) => this.#remember(report));
    void running.run(this.#runTurn).then(() => {
      this.#running = null;
      this.#startNext();
    });
  }

  #remember(report: AnalysisReport): void {
    if (!isRecorded(report) || report.run_id <= this.lastRun.id) return;
    this.lastRun = { id: report.run_id, at: report.generated_at };
  }

  /** Answers whether it stops: false for one past the last checkpoint. */
  #stop(queued: QueuedCall, reason: StopReason): boolean {
    const error = stopError(reason);
    if (queued.state !== 'waiting') return this.#running?.stop(queued, error) ?? false;
    this.#waiting.splice(this.#waiting.indexOf(queued), 1);
    queued.answerStopped(error);
    return true;
  }
}
