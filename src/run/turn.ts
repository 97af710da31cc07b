import { randomUUID } from 'node:crypto';
import { type AnalysisReport, reportOfFailure } from './analysis-report.js';

/** What the two threads tell each other of a call. */
export interface NamedCall {
  id: string;
  /** Canonical; null for run-once, which serves everybody who shares. */
  webId: string | null;
  /** The id of the run that the analysis leaves for the call; empty while the call waits. */
  runId: string;
}

/** One call for an analysis, from its arrival to its answer. */
export class Call implements NamedCall {
  readonly id: string;
  readonly webId: string | null;
  /** The network address that it comes from. */
  readonly peer: string;
  /** Called when its turn begins. */
  readonly onTurn: () => void;
  runId: string;
  /** Past the last checkpoint a call is `committed`: its result is on its way, and nothing stops it. */
  state: 'waiting' | 'running' | 'committed' | 'answered' = 'waiting';
  readonly answered: Promise<AnalysisReport>;
  #resolve: (report: AnalysisReport) => void = () => undefined;

  constructor(given: Partial<NewCall & NamedCall>) {
    this.id = given.id ?? randomUUID();
    this.webId = given.webId ?? null;
    this.peer = given.peer ?? '';
    this.onTurn = given.onTurn ?? (() => undefined);
    this.runId = given.runId ?? '';
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The answer leaves when `after` has settled. */
  answer(report: AnalysisReport, after: Promise<unknown> | null = null): void {
    this.state = 'answered';
    const leave = () => this.#resolve(report);
    if (after === null) leave();
    else void after.then(leave, leave);
  }
}

/** What a door tells of a call. */
export type NewCall = Pick<Call, 'webId' | 'peer' | 'onTurn'>;

/**
 * What one analysis works for: the calls that were waiting when it began. Both threads have a turn for the analysis in
 * hand. The one of the main thread decides what is stopped; the other asks it at the last checkpoint.
 */
export class Turn {
  readonly #stop = new AbortController();
  readonly #writing = new AbortController();
  readonly #reports: AnalysisReport[] = [];
  #guard: () => Promise<void> = () => Promise.resolve();
  #lastNote: () => Promise<void> = () => Promise.resolve();

  constructor(
    readonly calls: readonly Call[],
    /** Returns the ids of the calls that go on; where this is left out, this turn decides itself. */
    private readonly decide?: () => Promise<ReadonlySet<string>>,
  ) {
    for (const call of calls) {
      call.state = 'running';
      call.onTurn();
    }
  }

  /** Aborts with the reason when the last call was stopped; never after `commit`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when the service stops and waits no longer for what is past the checkpoint. */
  get writingEnds(): AbortSignal {
    return this.#writing.signal;
  }

  endWriting(): void {
    this.#writing.abort();
  }

  /** The calls as the other thread is told of them. */
  get named(): NamedCall[] {
    return this.calls.map(({ id, webId, runId }) => ({ id, webId, runId }));
  }

  /** The WebIDs of the callers, in order of their first calls; calls of one WebID are one caller. */
  get callers(): readonly (string | null)[] {
    return [...new Set(this.calls.map(({ webId }) => webId))];
  }

  /** The answers so far. */
  get reports(): readonly AnalysisReport[] {
    return this.#reports;
  }

  /** Takes one id for each caller, so that Cancel can name the run that it stops. */
  nameRuns(runIds: readonly string[]): void {
    const ids = new Map(this.callers.map((webId, index) => [webId, runIds[index] ?? '']));
    for (const call of this.calls) call.runId = ids.get(call.webId) ?? '';
  }

  /** Returns whether the call stops, and answers it then; false past the last checkpoint. */
  stop(call: Call, error: Error): boolean {
    if (call.state !== 'running') return false;
    this.#answer(call, reportOfFailure(error));
    if (this.calls.every(({ state }) => state === 'answered')) this.#stop.abort(error);
    return true;
  }

  stopAll(error: Error): void {
    for (const call of this.calls) this.stop(call, error);
  }

  /**
   * The last checkpoint, for all calls at once: returns the calls that were not stopped. A Cancel that comes later is
   * told that the result is on its way. Throws when all were stopped.
   */
  async commit(): Promise<readonly Call[]> {
    const goingOn = await this.decide?.();
    this.signal.throwIfAborted();
    const calls = this.calls.filter(
      ({ id, state }) => state === 'running' && goingOn?.has(id) !== false,
    );
    for (const call of calls) call.state = 'committed';
    await this.#guard();
    return calls;
  }

  /** Past the last checkpoint the analysis writes, unless `check` throws. */
  guardWriting(check: () => Promise<void>): void {
    this.#guard = check;
  }

  /** The last answer of the turn leaves when `note` has settled, whether it could be written or not. */
  noteBeforeLast(note: () => Promise<void>): void {
    this.#lastNote = note;
  }

  /** Called once for each call, as soon as its own result is done; ignored for a stopped call. */
  answer(callId: string, report: AnalysisReport): void {
    for (const call of this.calls) if (call.id === callId) this.#answer(call, report);
  }

  /** Answers the calls that have no answer when the analysis has ended, because it failed. */
  end(failure: unknown): void {
    for (const call of this.calls) this.#answer(call, reportOfFailure(failure));
  }

  #answer(call: Call, report: AnalysisReport): void {
    if (call.state === 'answered') return;
    this.#reports.push(report);
    const isLast = this.#reports.length === this.calls.length;
    call.answer(report, isLast ? this.#lastNote() : null);
  }
}
