import { useEffect, useState } from 'preact/hooks';
import type { HistoryRun } from './history-entry.js';
import { loadRun } from './load-run.js';
import { walkAnalyses } from './walk-analyses.js';

export interface Analyses {
  /** One run for each analysis, oldest first; they come in by the dozen. */
  runs: readonly HistoryRun[];
  /** Whether more are coming. */
  loading: boolean;
}

/** A picture that changed with each run would flicker. */
const atOnce = 12;

const none: Analyses = { runs: [], loading: true };

/** The newest analyses among the given runs (newest first), with the one Pod that is asked about. */
export function useAnalyses(
  runIds: readonly string[],
  limit: number,
  podId: string | null = null,
): Analyses {
  const [analyses, setAnalyses] = useState(none);
  useEffect(() => {
    let stopped = false;
    const runs: HistoryRun[] = [];
    const show = (loading: boolean) => {
      if (!stopped) setAnalyses({ runs: runs.toReversed(), loading });
      return !stopped;
    };
    void walkAnalyses(runIds, {
      limit,
      load: (runId) => loadRun(runId, podId),
      found: (run) => {
        runs.push(run);
        return runs.length % atOnce === 0 ? show(true) : !stopped;
      },
    }).then(() => show(false));
    return () => {
      stopped = true;
    };
  }, [runIds, limit, podId]);
  return analyses;
}
