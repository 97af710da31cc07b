import type { AnalysisReport } from './analysis-report.js';

export interface CallInTurn {
  id: string;
  webId: string | null;
  /** The id of the run that the analysis leaves for the call; calls of one WebID share a run. */
  runId: string;
}

/** What one analysis works for: the calls that were waiting when its turn came. */
export interface Turn {
  readonly calls: readonly CallInTurn[];
  /**
   * Aborts with an AnalyserError when the last call was stopped or when the service stops; never after
   * `commit`.
   */
  readonly signal: AbortSignal;
  /**
   * The last checkpoint, for all calls at once: returns the ids of the calls that were not stopped. A Cancel
   * that comes later is told that the result is on its way. Throws when all were stopped.
   */
  commit(): Promise<ReadonlySet<string>>;
  /**
   * Called once for each call, as soon as its own part is done; ignored for a stopped call. The last caller is
   * answered when the turn has ended.
   */
  answer(callId: string, report: AnalysisReport): void;
}
