import { z } from 'zod';
import type { WireError } from '../base/wire-error.js';
import type { Config, Secrets } from '../config/schema.js';
import type { AnalysisReport } from '../run/analysis-report.js';
import type { NamedCall } from '../run/assignment.js';
import type { ObservedEvent } from '../run/observer.js';
import type { Pauses, ReadinessState } from './readiness.js';

/** Messages arrive in the order of sending. Both threads run one version, so the compiler checks them. */
export type ToThread =
  /** Begins an analysis, one at a time; `ended` tells its end. */
  | { kind: 'analyse'; calls: readonly NamedCall[] }
  /** Answers `commit`: the calls that go on, by id, or why none does. */
  | { kind: 'committed'; ids: ReadonlySet<string>; error: WireError | null }
  /** All calls of the analysis in hand were cancelled. */
  | { kind: 'cancel'; reason: WireError }
  /** Ends what the analysis in hand writes to the Analyser's Pod. */
  | { kind: 'endWriting' }
  | { kind: 'recheck' }
  /** Something failed in the main thread: is the service still ready? */
  | { kind: 'failed'; error: WireError }
  /** Closes the connection and ends the thread. */
  | { kind: 'shutDown' };

/** What the analysis thread tells the main thread. */
export type FromThread =
  /** The last checkpoint: which calls go on? */
  | { kind: 'commit' }
  | { kind: 'answer'; id: string; report: AnalysisReport }
  | { kind: 'files'; read: number; all: number }
  /** With the reason when the analysis did not end well. */
  | { kind: 'ended'; error: WireError | null }
  | { kind: 'readiness'; state: ReadinessState }
  | { kind: 'observed'; event: ObservedEvent };

/** The data that the analysis thread gets at its start, and its only source of secrets. */
export interface ThreadData {
  /** Where it notes what it takes apart; the main thread adds it. */
  inHand?: SharedArrayBuffer;
  config: Config;
  secrets: Secrets;
  build: string;
  verbose: boolean;
  /** The file descriptor that the thread writes its log to. */
  logTo: number;
  /** The pauses between two tries to get ready. */
  pauses?: Pauses;
}

/** Not checked further, because this process has made the data itself. */
export const threadData = z.custom<ThreadData>((value) => typeof value === 'object');
