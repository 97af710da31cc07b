import type { AnalyserError } from '../base/errors.js';
import {
  type AnalysisReport,
  hasRunDocument,
  reportOfFailure,
  reportWithoutResult,
  stopError,
} from '../run/analysis-report.js';
import { Call, Turn } from '../run/turn.js';
import { takeInRotation, whoGivesWay } from './fairness.js';
import type { FoundCall, LastRun, NewCall, QueueLimits } from './queue-types.js';

const tooMany = 'There are too many analyses waiting; try again later.';
const tooManyOfOne = 'There are too many analyses in hand for this WebID; wait for one to end.';

/** How long the last results may be written for; systemd and containers kill a service that takes 45 seconds to stop. */
const LAST_WRITES_MS = 25_000;

interface QueuedCall extends NewCall {
  call: Call;
}

/**
 * Holds the calls until they are answered; Cancel and Status ask the queue. A turn takes the calls that wait, in
 * rotation over network addresses and otherwise in order of arrival, at most `callersPerTurn` of them.
 */
export class AnalysisQueue {
  /** Calls without an answer, in order of arrival. */
  readonly #calls = new Set<QueuedCall>();
  #turn: Turn | null = null;
  #turnEnded: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** Also set when another process leaves a run. */
  lastRun: LastRun = { id: '', at: '' };

  constructor(
    private readonly limits: QueueLimits,
    /** Runs the analysis of a turn and answers all of its calls; never rejects. */
    private readonly runTurn: (turn: Turn) => Promise<unknown>,
  ) {}

  /** The number of accepted calls, running and waiting. */
  get inHand(): number {
    return this.#calls.size;
  }

  /** Resolves with the report for the caller. An abort of `hungUp` stops this call alone. */
  async enqueue(asked: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    if (this.#isClosed) return reportOfFailure(stopError('shutdown'));
    if (hungUp.aborted) return reportOfFailure(stopError('caller gone'));
    const call = new Call(asked);
    const queued = { ...asked, call };
    const refusal = this.#makeRoom(queued);
    if (refusal !== null) return reportWithoutResult('FAILED', refusal);
    const hangUp = () => void this.#stop(call, stopError('caller gone'));
    hungUp.addEventListener('abort', hangUp, { once: true });
    this.#calls.add(queued);
    this.#startNext();
    const report = await call.answered;
    hungUp.removeEventListener('abort', hangUp);
    this.#calls.delete(queued);
    this.#noteLastRun(report);
    return report;
  }

  /** Stops and answers those calls of the WebID that have not passed the last checkpoint. */
  cancel(webId: string): FoundCall[] {
    const found = this.#unanswered().filter((queued) => queued.webId === webId);
    return found.map(({ call }) => ({
      runId: call.runId,
      stopped: this.#stop(call, stopError('cancel')),
    }));
  }

  /** Stops the calls that wait, and takes no new ones; the running turn goes on, and its writing for a while. */
  close(): void {
    this.#isClosed = true;
    setTimeout(() => this.#turn?.endWriting(), LAST_WRITES_MS).unref();
    for (const { call } of this.#waiting()) this.#stop(call, stopError('shutdown'));
  }

  stopRunning(): void {
    this.#turn?.stopAll(stopError('shutdown'));
  }

  async whenEmpty(): Promise<void> {
    await Promise.all([...this.#calls].map(({ call }) => call.answered));
    await this.#turnEnded;
  }

  /** Returns whether the call stops; false past the last checkpoint. */
  #stop(call: Call, error: AnalyserError): boolean {
    if (call.state !== 'waiting') return this.#turn?.stop(call, error) ?? false;
    call.answer(reportOfFailure(error));
    return true;
  }

  #unanswered(): QueuedCall[] {
    return [...this.#calls].filter(({ call }) => call.state !== 'answered');
  }

  #waiting(): QueuedCall[] {
    return [...this.#calls].filter(({ call }) => call.state === 'waiting');
  }

  #startNext(): void {
    const next = takeInRotation(this.#waiting(), this.limits.callersPerTurn);
    if (this.#turn !== null || next.length === 0) return;
    this.#turn = new Turn(next.map(({ call }) => call));
    for (const { onTurn } of next) onTurn?.();
    this.#turnEnded = this.runTurn(this.#turn).then(() => {
      this.#turn = null;
      this.#startNext();
    });
  }

  /** Before the caller has the reply, so that Status tells nobody less than they know. */
  #noteLastRun(report: AnalysisReport): void {
    if (!hasRunDocument(report)) return;
    const { run_id: id, generated_at: at } = report;
    // As for latest.json, ids are compared only within one analysis, because a clock may have run ahead before.
    if (at === this.lastRun.at && id < this.lastRun.id) return;
    this.lastRun = { id, at };
  }

  /**
   * Returns null if there is room or another waiting call gives way. Else the call is refused at once, so that a flood
   * does not push back the calls that wait.
   */
  #makeRoom(arrived: QueuedCall): string | null {
    const { all, perCaller } = this.limits;
    const inHand = this.#unanswered();
    if (inHand.filter(({ webId }) => webId === arrived.webId).length >= perCaller) {
      return tooManyOfOne;
    }
    // Those of the running turn do not count: they cannot give way, and could be all from one address.
    const waiting = this.#waiting();
    if (waiting.length < all) return null;
    const leaving = whoGivesWay([...inHand, arrived], [...waiting, arrived]);
    if (leaving === arrived || leaving === undefined) return tooMany;
    leaving.call.answer(reportWithoutResult('FAILED', tooMany));
    return null;
  }
}
