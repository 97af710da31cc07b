import { useEffect, useState } from 'preact/hooks';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { loadRun } from '../history/load-run.js';
import { countUndelivered } from './count-undelivered.js';

/**
 * Deliveries that failed in the newest analysis. It may have had several callers, each with a run
 * of their own that tells what became of theirs; the runs are given newest first.
 */
export function useUndelivered(results: ResultsDocument | null, runIds: readonly string[]): number {
  const [ofOthers, setOfOthers] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setOfOthers(0);
    if (results !== null) {
      void countOthers(results, runIds, stop.signal).then((count) => {
        if (!stop.signal.aborted) setOfOthers(count);
      });
    }
    return () => stop.abort();
  }, [results?.run_id, runIds]);
  return results === null ? 0 : countUndelivered(results.sharing) + ofOthers;
}

async function countOthers(
  { run_id, generated_at }: ResultsDocument,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const runId of runIds) {
    if (runId >= run_id) continue;
    const entry = await loadRun(runId, null);
    if (signal.aborted) break;
    if (entry.state !== 'read' || entry.run.generatedAt !== generated_at) break;
    count += entry.run.undelivered;
  }
  return count;
}
