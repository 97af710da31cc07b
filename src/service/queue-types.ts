import type { AnalyserError } from '../base/errors.js';
import type { Turn } from '../run/turn.js';

/** One call for an analysis, as a door hands it over. */
export interface NewCall {
  /** Canonical; null for run-once, which serves everybody who shares. */
  webId: string | null;
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

/** A turn that has just begun; `giveRunIds` makes a `Turn` of it. */
export interface NewTurn extends Pick<Turn, 'signal'> {
  /** How many callers it serves; calls of one WebID are one. */
  readonly size: number;
  /** Takes one id for each caller, so that Cancel can name the run that it stops. */
  giveRunIds(runIds: readonly string[]): Turn;
  /** Stops every call that has not passed the last checkpoint. */
  stopAll(error: AnalyserError): void;
}

/**
 * Runs a turn: performTurn, as set up in src/service/analysis-service.ts. If it fails, its error goes to every
 * call without an answer.
 */
export type RunTurn = (turn: NewTurn) => Promise<void>;

export interface QueueLimits {
  callersPerTurn: number;
  /** The calls of everybody, running and waiting. */
  all: number;
  perCaller: number;
  perPeer: number;
}

/** Refuses a call at once, so that a flood does not push back the calls that wait. */
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
