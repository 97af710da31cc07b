import type { RecordedRun } from '../queue/analysis-queue.js';
import { onAbort } from '../solid/requests/link-signals.js';
import type { RunControl } from './run-control.js';

export interface Applicant {
  /** Canonical WebID; null for run-once. */
  caller: string | null;
  /** The network address. */
  peer: string;
  control: RunControl;
}

export interface LineLimits {
  /** How many Status shows; what is beyond is held back, but takes its turn all the same. */
  inHand: number;
  /** Running and waiting, of everybody. */
  all: number;
  perCaller: number;
  perPeer: number;
}

/** Those who want an analysis, one at a time and in order of arrival; here or over many processes. */
export interface Line {
  /** Running and waiting, as Status tells it. */
  readonly inHand: number;
  /** The last run that left a results document; empty before the first. */
  readonly lastRun: RecordedRun;
  /** Why nobody can get a turn, in words for callers; empty when they can. */
  readonly problem: string;
  /** Called whenever `problem` may have changed. */
  onChange(listener: () => void): void;
  /** Runs `work` when its turn comes; throws when there is none, or `control` is stopped. */
  take<T>(applicant: Applicant, work: () => Promise<T>): Promise<T>;
  record(run: RecordedRun): Promise<void>;
  /** Stops every analysis of the caller and answers which of them will stop. */
  cancel(caller: string): Promise<Array<{ runId: string; stopped: boolean }>>;
  /** From now on nobody gets a turn; the one who has it keeps it. */
  close(): void;
  stopRunning(): void;
  whenEmpty(): Promise<void>;
}

/** Settles when somebody calls `begin`, or the analysis is stopped before that. */
export function waitForTurn(entry: { control: RunControl; begin: () => void }): Promise<void> {
  const { signal } = entry.control;
  return new Promise((resolve, reject) => {
    const unfollow = onAbort(signal, () => {
      const reason: unknown = signal.reason;
      reject(reason);
    });
    entry.begin = () => {
      unfollow();
      resolve();
    };
  });
}
