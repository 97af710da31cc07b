import { randomUUID } from 'node:crypto';
import type { AnalyserError } from '../base/errors.js';
import { type AnalysisReport, reportOfFailure, stopError } from './analysis-report.js';
import type { NewCall, NewTurn, RunTurn, Turn } from './turn.js';

/** One call from its arrival to its answer. */
export class QueuedCall {
  readonly answered: Promise<AnalysisReport>;
  runId = '';
  /** What its caller will be told, once that is known. */
  report: AnalysisReport | null = null;
  #state: 'waiting' | 'running' | 'stopped' | 'committed' | 'answered' = 'waiting';
  #resolve: (report: AnalysisReport) => void = () => undefined;

  constructor(
    readonly call: NewCall,
    readonly id: string = randomUUID(),
  ) {
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get state() {
    return this.#state;
  }

  /** Whether the analysis goes on for it. */
  get goesOn(): boolean {
    return this.#state === 'running' || this.#state === 'committed';
  }

  /** Does nothing the second time, when another process takes the call over. */
  begin(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'running';
    this.call.onTurn?.();
  }

  /** Of a call that runs; whoever marks it sees to its answer. */
  markStopped(): void {
    if (this.#state === 'running') this.#state = 'stopped';
  }

  /** Past the last checkpoint; one that was stopped stays so. */
  commit(): void {
    if (this.#state === 'running') this.#state = 'committed';
  }

  answer(report: AnalysisReport): void {
    this.#state = 'answered';
    this.#resolve(report);
  }

  answerFailure(error: unknown): void {
    this.answer(reportOfFailure(error, this.runId));
  }
}

/** What a turn has to settle with the other processes of this Analyser. */
interface OtherProcesses {
  previousRunId: string;
  /**
   * Asks Redis which of the calls were stopped. Returns the ids of those that go on; throws when the
   * turn was lost.
   */
  commit(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Tells them the run id of a call. */
  named(call: QueuedCall): void;
}

/** The calls that have the turn, and what stops one of them, or all. */
export class RunningTurn implements NewTurn {
  /** Settles when every call has been answered. */
  ended: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();
  /** While Redis is being asked, only a Cancel can stop a call. */
  #isCommitting = false;

  constructor(
    private readonly calls: readonly QueuedCall[],
    private readonly others: OtherProcesses | null = null,
  ) {}

  get size(): number {
    return this.calls.length;
  }

  get previousRunId(): string {
    return this.others?.previousRunId ?? '';
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  find(id: string): QueuedCall | undefined {
    return this.calls.find((queued) => queued.id === id);
  }

  run(runTurn: RunTurn): Promise<void> {
    this.ended = this.#run(runTurn);
    return this.ended;
  }

  giveRunIds(runIds: readonly string[]): Turn {
    for (const [index, runId] of runIds.entries()) {
      const queued = this.calls[index];
      if (queued === undefined) continue;
      queued.runId = runId;
      this.others?.named(queued);
    }
    return {
      calls: this.calls.map(({ id, runId, call: { webId, traceparent } }) => ({
        id,
        webId,
        traceparent,
        runId,
      })),
      signal: this.signal,
      commit: () => this.#commit(),
      answer: (id, report) => this.#answer(id, report),
    };
  }

  /**
   * Returns whether the call stops; false past the last checkpoint. The last one that goes on ends the
   * analysis, and is answered when that has ended.
   */
  stop(queued: QueuedCall, error: AnalyserError): boolean {
    if (queued.state !== 'running') return queued.state === 'stopped';
    queued.markStopped();
    if (this.calls.some(({ goesOn }) => goesOn)) queued.answerFailure(error);
    else this.#stop.abort(error);
    return true;
  }

  stopAll(error: AnalyserError): void {
    if (this.#isCommitting) return;
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
      if (queued.state === 'stopped') queued.answerFailure(this.signal.reason);
      else if (queued.report !== null) queued.answer(queued.report);
      else queued.answerFailure(failure);
    }
  }

  /** The caller who is left last hears of it when the turn has ended: nothing goes on after that reply. */
  #answer(id: string, report: AnalysisReport): void {
    const queued = this.find(id);
    if (!queued?.goesOn) return;
    queued.report ??= report;
    if (this.calls.some((other) => other !== queued && other.goesOn)) queued.answer(queued.report);
  }

  #commit(): Promise<ReadonlySet<string>> {
    this.signal.throwIfAborted();
    const running = this.calls.filter(({ state }) => state === 'running');
    if (this.others !== null) return this.#commitWith(this.others, running);
    for (const queued of running) queued.commit();
    return Promise.resolve(new Set(running.map(({ id }) => id)));
  }

  async #commitWith(
    others: OtherProcesses,
    running: readonly QueuedCall[],
  ): Promise<ReadonlySet<string>> {
    this.#isCommitting = true;
    try {
      const goingOn = await others.commit(running.map(({ id }) => id));
      for (const queued of running) {
        if (goingOn.has(queued.id)) queued.commit();
      }
      for (const queued of running) this.stop(queued, stopError('cancel'));
    } finally {
      this.#isCommitting = false;
    }
    this.signal.throwIfAborted();
    return new Set(running.filter(({ state }) => state === 'committed').map(({ id }) => id));
  }
}
