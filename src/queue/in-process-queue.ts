import {
  type AnalysisQueue,
  type CancelledCall,
  type NewCall,
  QueueFullError,
  type QueueLimits,
  type RecordedRun,
  type RunTurn,
  type Turn,
} from './analysis-queue.js';
import { type AnalysisReport, isRecorded, reportWithoutResult } from './analysis-report.js';
import { failureSentence } from './failure-sentence.js';
import { QueuedCall } from './queued-call.js';
import { type StopReason, stopError } from './stop-reasons.js';

/** The calls that have the turn, and what stops them all. */
interface RunningTurn {
  calls: readonly QueuedCall[];
  stop: AbortController;
}

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
    for (const queued of this.#running?.calls ?? []) this.#stop(queued, 'shutdown');
  }

  async whenEmpty(): Promise<void> {
    if (this.#running === null && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  /** Without those that have been answered while others of their turn go on. */
  #inHand(): QueuedCall[] {
    const running = this.#running?.calls.filter(({ state }) => state !== 'answered') ?? [];
    return [...running, ...this.#waiting];
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
    const running: RunningTurn = { calls, stop: new AbortController() };
    this.#running = running;
    for (const queued of calls) queued.state = 'running';
    void this.#run(running);
  }

  async #run(running: RunningTurn): Promise<void> {
    let failure: unknown = null;
    try {
      for (const { call } of running.calls) call.onTurn?.();
      await this.#runTurn(this.#turnOf(running));
    } catch (error) {
      failure = error;
    }
    for (const queued of running.calls) {
      if (queued.state === 'stopped') this.#answerStopped(queued, running.stop.signal.reason);
      if (queued.state === 'answered') continue;
      queued.answer(reportWithoutResult('FAILED', failureSentence(failure), queued.runId));
    }
    this.#running = null;
    this.#startNext();
  }

  #turnOf({ calls, stop }: RunningTurn): Turn {
    const find = (id: string) => calls.find((queued) => queued.id === id);
    return {
      calls: calls.map(({ id, call: { webId, traceparent } }) => ({ id, webId, traceparent })),
      previousRunId: '',
      signal: stop.signal,
      commit: () => {
        stop.signal.throwIfAborted();
        const left = calls.filter(({ state }) => state === 'running');
        for (const queued of left) queued.state = 'committed';
        return Promise.resolve(new Set(left.map(({ id }) => id)));
      },
      named: (id, runId) => {
        const queued = find(id);
        if (queued !== undefined) queued.runId = runId;
      },
      answer: (id, report) => {
        const queued = find(id);
        if (queued?.state !== 'running' && queued?.state !== 'committed') return;
        if (isRecorded(report) && report.run_id > this.lastRun.id) {
          this.lastRun = { id: report.run_id, at: report.generated_at };
        }
        queued.answer(report);
      },
    };
  }

  /** Answers whether it stops: false for one past the last checkpoint. */
  #stop(queued: QueuedCall, reason: StopReason): boolean {
    const error = stopError(reason);
    if (queued.state === 'waiting') {
      this.#waiting.splice(this.#waiting.indexOf(queued), 1);
      this.#answerStopped(queued, error);
      return true;
    }
    if (queued.state !== 'running') return queued.state === 'stopped';
    const others = this.#running?.calls.some((call) => call !== queued && call.state === 'running');
    if (others) {
      this.#answerStopped(queued, error);
    } else {
      // Answered when the analysis has stopped, so that nothing of it goes on after the reply.
      queued.state = 'stopped';
      this.#running?.stop.abort(error);
    }
    return true;
  }

  #answerStopped(queued: QueuedCall, reason: unknown): void {
    queued.answer(reportWithoutResult('CANCELLED', failureSentence(reason), queued.runId));
  }
}
