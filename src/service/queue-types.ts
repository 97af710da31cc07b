/** One call for an analysis, as a door hands it over. */
export interface NewCall {
  /** Canonical. */
  webId: string;
  /** The network address. */
  peer: string;
  /** Called when its turn begins. */
  onTurn?: (() => void) | undefined;
}

/** The run of latest.json: the last one of the analysis that was written last, whatever a clock said. */
export interface LastRun {
  /** Empty before the first run. */
  id: string;
  at: string;
}

/** A call that a Cancel has found. */
export interface FoundCall {
  /** Empty while the call waits. */
  runId: string;
  /** If false, the call has passed the last checkpoint, and its result is on its way. */
  stopped: boolean;
}

export interface QueueLimits {
  callersPerTurn: number;
  /** The calls of everybody, running and waiting. */
  all: number;
  perCaller: number;
}
