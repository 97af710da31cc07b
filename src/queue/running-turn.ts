import type { AnalyserError } from '../base/errors.js';
import type { AnalysisReport } from './analysis-report.js';
import type { QueuedCall } from './queued-call.js';
import { stopError } from './stop-reasons.js';
import type { RunTurn, Turn } from './turn.js';

/** The part of a turn that processes share; one process alone needs none of it. */
export interface SharedTurn {
  previousRunId: string;
  /**
   * Asks Redis which of the calls were stopped. Returns the ids of those that go on; throws when the
   * turn was lost.
   */
  commit?: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  named?: (call: QueuedCall) => void;
}

/** The calls that have the turn, and what stops one of them, or all. */
export class RunningTurn {
  /** Settles when every call has been answered. */
  ended: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();
  /**
   * The report of the last call, which is answered when the turn has ended, so that nothing goes on
   * after its reply.
   */
  #last: AnalysisReport | null = null;
  /** While Redis is being asked, only a Cancel can stop a call. */
  #isCommitting = false;

  constructor(
    private readonly calls: readonly QueuedCall[],
    private readonly shared: SharedTurn = { previousRunId: '' },
  ) {}

  find(id: string): QueuedCall | undefined {
    return this.calls.find((queued) => queued.id === id);
  }

  run(runTurn: RunTurn): Promise<void> {
    this.ended = this.#run(runTurn);
    return this.ended;
  }

  async #run(runTurn: RunTurn): Promise<void> {
    let failure: unknown = null;
    try {
      for (const queued of this.calls) queued.begin();
      await runTurn(this.#asTurn());
    } catch (error) {
      failure = error;
    }
    const { signal } = this.#stop;
    for (const queued of this.calls.filter(({ state }) => state !== 'answered')) {
      if (queued.state === 'stopped') queued.answerFailure(signal.reason);
      else if (this.#last !== null) queued.answer(this.#last);
      else queued.answerFailure(failure);
    }
  }

  /** Returns whether the call stops; false past the last checkpoint. */
  stop(queued: QueuedCall, error: AnalyserError): boolean {
    if (queued.state !== 'running') return queued.state === 'stopped';
    queued.state = 'stopped';
    if (this.calls.some(goesOn)) queued.answerFailure(error);
    else this.#stop.abort(error);
    return true;
  }

  stopAll(error: AnalyserError): void {
    if (this.#isCommitting) return;
    for (const queued of this.calls) this.stop(queued, error);
  }

  #asTurn(): Turn {
    return {
      calls: this.calls.map(({ id, call: { webId, traceparent } }) => ({ id, webId, traceparent })),
      previousRunId: this.shared.previousRunId,
      signal: this.#stop.signal,
      commit: () => this.#commit(),
      named: (id, runId) => {
        const queued = this.find(id);
        if (queued === undefined) return;
        queued.runId = runId;
        this.shared.named?.(queued);
      },
      answer: (id, report) => {
        const queued = this.find(id);
        if (queued === undefined || !goesOn(queued)) return;
        if (this.calls.some((one) => one !== queued && goesOn(one))) queued.answer(report);
        else this.#last ??= report;
      },
    };
  }

  #commit(): Promise<ReadonlySet<string>> {
    this.#stop.signal.throwIfAborted();
    const running = this.calls.filter(({ state }) => state === 'running');
    const { commit } = this.shared;
    if (commit !== undefined) return this.#commitElsewhere(running, commit);
    for (const queued of running) queued.state = 'committed';
    return Promise.resolve(new Set(running.map(({ id }) => id)));
  }

  async #commitElsewhere(
    running: readonly QueuedCall[],
    commit: NonNullable<SharedTurn['commit']>,
  ): Promise<ReadonlySet<string>> {
    this.#isCommitting = true;
    try {
      const goingOn = await commit(running.map(({ id }) => id));
      for (const queued of running) {
        if (goingOn.has(queued.id) && queued.state === 'running') queued.state = 'committed';
      }
      for (const queued of running) this.stop(queued, stopError('cancel'));
    } finally {
      this.#isCommitting = false;
    }
    this.#stop.signal.throwIfAborted();
    return new Set(running.filter(({ state }) => state === 'committed').map(({ id }) => id));
  }
}

function goesOn({ state }: QueuedCall): boolean {
  return state === 'running' || state === 'committed';
}
