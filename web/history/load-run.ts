import { fetchJson } from '../api/fetch-json.js';
import { isResultsDocument } from '../api/guards.js';
import { type HistoryEntry, summariseRun } from './history-entry.js';

/** A stored run never changes, so what was read once is kept for as long as the page is open. */
const known = new Map<string, HistoryEntry>();

export function knownRun(runId: string, podId: string | null): HistoryEntry {
  return known.get(keyOf(runId, podId)) ?? { runId, state: 'waiting' };
}

/** Reads the run unless it was read before; one that could not be read is asked for again. */
export async function loadRun(
  runId: string,
  podId: string | null,
  signal: AbortSignal,
): Promise<HistoryEntry> {
  const before = knownRun(runId, podId);
  if (before.state === 'read') return before;
  const path = `api/runs/${encodeURIComponent(runId)}`;
  const answer = await fetchJson(path, isResultsDocument, signal);
  if (signal.aborted) return before;
  const entry: HistoryEntry = answer.ok
    ? { runId, state: 'read', run: summariseRun(answer.value, podId) }
    : { runId, state: 'failed', problem: answer.problem };
  known.set(keyOf(runId, podId), entry);
  return entry;
}

function keyOf(runId: string, podId: string | null): string {
  return `${runId} ${podId ?? ''}`;
}
