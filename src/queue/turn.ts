import type { AnalyserError } from '../base/errors.js';
import type { AnalysisReport } from './analysis-report.js';

/** One call for an analysis, as a door hands it over. */
export interface NewCall {
  /** As the caller spells it; null for run-once, which serves every contributor. */
  webId: string | null;
  /** The same for every spelling of that WebID, so that Cancel finds the call by any. */
  caller: string | null;
  /** The network address. */
  peer: string;
  /** Of the trace that the call belongs to. */
  traceparent?: string | undefined;
  /** Called when its turn begins. */
  onTurn?: (() => void) | undefined;
}

/** The newest run that has a run document. */
export interface LastRun {
  /** Empty before the first. */
  id: string;
  at: string;
}

/** A call that a Cancel has found. */
export interface FoundCall {
  /** Empty while the call waits. */
  runId: string;
  /** False: it has passed the last checkpoint, and its result is on its way. */
  stopped: boolean;
}

export interface CallInTurn {
  id: string;
  webId: string | null;
  traceparent?: string | undefined;
  /** Of the run that the analysis leaves for it. */
  runId: string;
}

/** What one analysis works for: the calls that were waiting when its turn came. */
export interface Turn {
  readonly calls: readonly CallInTurn[];
  /**
   * Aborts with an AnalyserError when the last call was stopped, when the turn was lost or when
   * the service stops; never after `commit`.
   */
  readonly signal: AbortSignal;
  /**
   * The last checkpoint, for all calls at once: returns the ids of those that were not stopped.
   * A Cancel that comes later is told that the result is on its way. Throws when all were
   * stopped, or the turn was lost.
   */
  commit(): Promise<ReadonlySet<string>>;
  /**
   * Called once for each call, as soon as its own part is done; ignored for a stopped call. The last
   * one's caller hears of it when the turn has ended.
   */
  answer(callId: string, report: AnalysisReport): void;
}

/** A turn that has just come; the run ids of its calls make it complete. */
export interface NewTurn extends Pick<Turn, 'signal'> {
  /** How many calls it serves. */
  readonly size: number;
  /**
   * The last run id that any process gave out, after which the next ones follow; empty where
   * this process alone gives them out.
   */
  readonly previousRunId: string;
  /** One for each call, so that Cancel can name the run that it stops; none for what leaves no run. */
  giveRunIds(runIds: readonly string[]): Turn;
  /** Stops every call that has not passed the last checkpoint. */
  stopAll(error: AnalyserError): void;
}

/**
 * What the queue does when a turn comes: performTurn, as src/thread/analysis-service.ts has it. Calls
 * without an answer at its end get its error.
 */
export type RunTurn = (turn: NewTurn) => Promise<void>;

export interface QueueLimits {
  callersPerTurn: number;
  /** Running and waiting, of everybody. */
  all: number;
  perCaller: number;
  perPeer: number;
}

/** Refused at once, so that those who wait are not pushed back by a flood. */
export class QueueFullError extends Error {
  constructor(readonly limit: keyof typeof refusals) {
    super(refusals[limit]);
  }
}

const refusals = {
  all: 'There are too many analyses waiting; try again later.',
  perCaller: 'There are too many analyses in hand for this WebID; wait for one to end.',
  perPeer: 'There are too many analyses in hand for this network address; wait for one to end.',
} as const;
