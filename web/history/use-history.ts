import { useEffect, useState } from 'preact/hooks';
import type { HistoryEntry } from './history-entry.js';
import { knownRun, loadRun } from './load-run.js';
import { mapBounded } from './map-bounded.js';

const atOnce = 4;

/** Entries for the given runs, filled in one by one. What failed is asked for again with every `attempt`. */
export function useHistory(runIds: readonly string[], attempt: number): HistoryEntry[] {
  const [, redraw] = useState(0);
  const wanted = runIds.join(' ');
  useEffect(() => {
    const stop = new AbortController();
    const missing = wanted
      .split(' ')
      .filter((runId) => runId !== '' && knownRun(runId, null).state !== 'read');
    void mapBounded(missing, atOnce, stop.signal, async (runId) => {
      await loadRun(runId, null);
      if (!stop.signal.aborted) redraw((count) => count + 1);
    });
    return () => stop.abort();
  }, [wanted, attempt]);
  return runIds.map((runId) => knownRun(runId, null));
}
