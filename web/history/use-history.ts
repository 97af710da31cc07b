import { useEffect, useState } from 'preact/hooks';
import { fetchJson } from '../api/fetch-json.js';
import { isResultsDocument } from '../api/guards.js';
import { type HistoryEntry, summariseRun } from './history-entry.js';
import { mapBounded } from './map-bounded.js';

const atOnce = 4;

/** A stored run never changes, so what was read once is kept for as long as the page is open. */
const known = new Map<string, HistoryEntry>();

/** Entries for the given runs, filled in one by one. What failed is asked for again with every `attempt`. */
export function useHistory(runIds: readonly string[], attempt: number): HistoryEntry[] {
  const [, redraw] = useState(0);
  const wanted = runIds.join(' ');
  useEffect(() => {
    const stop = new AbortController();
    const missing = wanted
      .split(' ')
      .filter((runId) => runId !== '' && known.get(runId)?.state !== 'read');
    void mapBounded(missing, atOnce, stop.signal, async (runId) => {
      const path = `api/runs/${encodeURIComponent(runId)}`;
      const answer = await fetchJson(path, isResultsDocument, stop.signal);
      if (stop.signal.aborted) return;
      known.set(
        runId,
        answer.ok
          ? { runId, state: 'read', run: summariseRun(answer.value) }
          : { runId, state: 'failed', problem: answer.problem },
      );
      redraw((count) => count + 1);
    });
    return () => stop.abort();
  }, [wanted, attempt]);
  return runIds.map((runId) => known.get(runId) ?? { runId, state: 'waiting' });
}
