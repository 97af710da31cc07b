import { randomUUID } from 'node:crypto';
import type { AnalyserError } from '../base/errors.js';
import { type AnalysisReport, reportOfFailure } from '../run/analysis-report.js';
import type { Turn } from '../run/turn.js';
import type { NewCall, NewTurn, RunTurn } from './queue-types.js';

/** One call from its arrival to its answer. */
export class QueuedCall {
  readonly id = randomUUID();
  readonly answered: Promise<AnalysisReport>;
  runId = '';
  /** The answer to the caller, once it is known; the last caller gets it later. */
  report: AnalysisReport | null = null;
  #state: 'waiting' | 'running' | 'stopped' | 'committed' | 'answered' = 'waiting';
  #resolve: (report: AnalysisReport) => void = () => undefined;

  constructor(readonly call: NewCall) {
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get state() {
    return this.#state;
  }

  /** Whether the analysis goes on for the call. */
  get goesOn(): boolean {
    return this.#state === 'running' || this.#state === 'committed';
  }

  begin(): void {
    this.#state = 'running';
    this.call.onTurn?.();
  }

  /** Marks a running call as stopped. The code that uses this method has to answer the call. */
  markStopped(): void {
    if (this.#state === 'running') this.#state = 'stopped';
  }

  /** Marks that the call has passed the last checkpoint; a stopped call stays stopped. */
  commit(): void {
    if (this.#state === 'running') this.#state = 'committed';
  }

  answer(report: AnalysisReport): void {
    this.#state = 'answered';
    this.#resolve(report);
  }

  answerFailure(error: unknown): void {
    this.answer(reportOfFailure(error));
  }
}

/** The calls that have the turn, with the means to stop one call or all calls. */
export class RunningTurn implements NewTurn {
  /** Settles when every call has been answered. */
  ended: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(private readonly calls: readonly QueuedCall[]) {}

  get size(): number {
    return this.#callers.size;
  }

  /** In order of their first calls. */
  get #callers(): Set<string | null> {
    return new Set(this.calls.map(({ call }) => call.webId));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  run(runTurn: RunTurn): Promise<void> {
    this.ended = this.#run(runTurn);
    return this.ended;
  }

  giveRunIds(runIds: readonly string[]): Turn {
    const ids = new Map(Array.from(this.#callers, (webId, index) => [webId, runIds[index] ?? '']));
    for (const queued of this.calls) queued.runId = ids.get(queued.call.webId) ?? '';
    return {
      calls: this.calls.map(({ id, runId, call: { webId } }) => ({ id, webId, runId })),
      signal: this.signal,
      commit: () => this.#commit(),
      answer: (id, report) => this.#answer(id, report),
    };
  }

  /**
   * Returns whether the call stops; false past the last checkpoint. When no other call goes on, the analysis is
   * aborted, and this call is answered when the analysis has ended.
   */
  stop(queued: QueuedCall, error: AnalyserError): boolean {
    if (queued.state !== 'running') return queued.state === 'stopped';
    queued.markStopped();
    if (this.calls.some(({ goesOn }) => goesOn)) queued.answerFailure(error);
    else this.#stop.abort(error);
    return true;
  }

  stopAll(error: AnalyserError): void {
    for (const queued of this.calls) this.stop(queued, error);
  }

  async #run(runTurn: RunTurn): Promise<void> {
    let failure: unknown = null;
    try {
      for (const queued of this.calls) queued.begin();
      await runTurn(this);
    } catch (error) {
      failure = error;
    }
    for (const queued of this.calls.filter(({ state }) => state !== 'answered')) {
      // Of the stopped calls only the last has waited for the end: the others were answered at once.
      if (queued.state === 'stopped') queued.answerFailure(this.signal.reason);
      else if (queued.report !== null) queued.answer(queued.report);
      else queued.answerFailure(failure);
    }
  }

  /** The last caller is answered when the turn has ended, so that nothing goes on after that reply. */
  #answer(id: string, report: AnalysisReport): void {
    const queued = this.calls.find((each) => each.id === id);
    if (!queued?.goesOn) return;
    queued.report ??= report;
    if (this.calls.some((other) => other !== queued && other.goesOn)) queued.answer(queued.report);
  }

  #commit(): Promise<ReadonlySet<string>> {
    this.signal.throwIfAborted();
    for (const queued of this.calls) queued.commit();
    const goingOn = this.calls.filter(({ state }) => state === 'committed');
    return Promise.resolve(new Set(goingOn.map(({ id }) => id)));
  }
}
