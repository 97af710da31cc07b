import { z } from 'zod';
import type { WireError } from '../base/wire-error.js';
import type { Config, Secrets } from '../config/schema.js';
import type { AnalysisReport } from '../queue/analysis-report.js';
import type { CallInTurn } from '../queue/turn.js';
import type { OnFiles } from '../run/analyse.js';
import type { ObservedEvent } from '../run/observer.js';
import type { Pauses, ReadinessState } from '../run/readiness.js';

/** What the analysis thread does for the main thread; one analysis at a time. */
export type AnalysisThreadOffer = {
  /** Ends when every call has its answer; throws why they have none. */
  analyse: (calls: readonly CallInTurn[]) => Promise<void>;
  /** Stops the analysis in hand, if it goes on. */
  cancel: (reason: WireError) => void;
  /** Null: somebody wants to know whether the service is ready. Else what failed in the main thread. */
  recheck: (failure: WireError | null) => void;
  /** Logs out and ends the thread. */
  close: () => Promise<void>;
};

/** What the main thread does for the analysis thread. `commit` and `answer` are those of a Turn. */
export type MainThreadOffer = {
  commit: () => Promise<ReadonlySet<string>>;
  answer: (callId: string, report: AnalysisReport) => void;
  files: OnFiles;
  readiness: (state: ReadinessState) => void;
  observed: (events: readonly ObservedEvent[]) => void;
};

/** What the analysis thread is given when it starts. The only way by which secrets get there. */
export interface ThreadData {
  config: Config;
  secrets: Secrets;
  version: string;
  /** What the environment says of traces. */
  env: Readonly<Record<string, string | undefined>>;
  verbose: boolean;
  /** The file descriptor that the thread writes its log to. */
  logTo: number;
  /** Whether anybody counts what it does. */
  isMeasured: boolean;
  /** Between two tries to get ready. */
  pauses?: Pauses;
}

/** Made by this process and handed over as it is. */
export const threadData = z.custom<ThreadData>((value) => typeof value === 'object');
