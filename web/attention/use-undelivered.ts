import { useEffect, useState } from 'preact/hooks';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { loadRun } from '../history/load-run.js';
import { countUndelivered } from './count-undelivered.js';

export interface Undelivered {
  count: number;
  /** The newest run that tells of one; null when there is none. */
  runId: string | null;
}

const none: Undelivered = { count: 0, runId: null };

/**
 * Deliveries that failed in the newest analysis. It may have had several callers, each with a run
 * of their own that tells what became of theirs; the runs are given newest first.
 */
export function useUndelivered(
  results: ResultsDocument | null,
  runIds: readonly string[],
): Undelivered {
  const [ofOthers, setOfOthers] = useState(none);
  useEffect(() => {
    const stop = new AbortController();
    setOfOthers(none);
    if (results !== null) {
      void findOthers(results, runIds, stop.signal).then((found) => {
        if (!stop.signal.aborted) setOfOthers(found);
      });
    }
    return () => stop.abort();
  }, [results?.run_id, runIds]);
  if (results === null) return none;
  const own = countUndelivered(results.sharing);
  return { count: own + ofOthers.count, runId: own > 0 ? results.run_id : ofOthers.runId };
}

async function findOthers(
  { run_id, generated_at }: ResultsDocument,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<Undelivered> {
  let found = none;
  for (const runId of runIds) {
    if (runId >= run_id) continue;
    const entry = await loadRun(runId, null);
    if (signal.aborted) break;
    if (entry.state !== 'read' || entry.run.generatedAt !== generated_at) break;
    const { undelivered } = entry.run;
    if (undelivered === 0) continue;
    found = { count: found.count + undelivered, runId: found.runId ?? runId };
  }
  return found;
}
