import type { AnalysisReport } from './analysis-report.js';

export interface NamedCall {
  id: string;
  /** Canonical; null for run-once, which serves everybody who shares. */
  webId: string | null;
  runId: string;
}

/**
 * For whom an analysis works, and all that it tells them. The service works in two threads: there inside-thread.ts makes one
 * that hands everything on to the Turn of the main thread. For run-once it is the Turn itself.
 */
export interface Assignment {
  calls: readonly NamedCall[];
  /** Aborts with the reason when all calls were cancelled; never after `commit`. */
  signal: AbortSignal;
  /** Aborts when the service shuts down and waits no longer for what is written. */
  writingEnds: AbortSignal;
  /**
   * The last checkpoint, for all calls at once: returns those that were not cancelled, and which nothing cancels from now
   * on. Throws when all were.
   */
  commit(): Promise<readonly NamedCall[]>;
  /** Called once for each call, as soon as its own result is done; ignored for a cancelled call. */
  answer(callId: string, report: AnalysisReport): void;
}

/** For whom an analysis makes results: everybody who shares (run-once), or the WebIDs that called, canonical. */
export type Served = 'everybody' | readonly string[];

export function serves(served: Served, webId: string): boolean {
  return served === 'everybody' || served.includes(webId);
}

export function isCaller(served: Served, webId: string): boolean {
  return served !== 'everybody' && served.includes(webId);
}

export function servedBy(calls: readonly Pick<NamedCall, 'webId'>[]): Served {
  const webIds = new Set<string>();
  for (const { webId } of calls) {
    if (webId === null) return 'everybody';
    webIds.add(webId);
  }
  return [...webIds];
}
