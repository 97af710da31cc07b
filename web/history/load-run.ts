import { fetchJson } from '../api/fetch-json.js';
import { isResultsDocument } from '../api/guards.js';
import { type HistoryEntry, summariseRun } from './history-entry.js';

/** A stored run never changes, so what was read once is kept for as long as the page is open. */
const known = new Map<string, HistoryEntry>();
/** Two charts that want the same run ask for it once. */
const underWay = new Map<string, Promise<HistoryEntry>>();

export function knownRun(runId: string, podId: string | null): HistoryEntry {
  return known.get(keyOf(runId, podId)) ?? { runId, state: 'waiting' };
}

/** Reads the run unless it was read before; one that could not be read is asked for again. */
export async function loadRun(runId: string, podId: string | null): Promise<HistoryEntry> {
  const key = keyOf(runId, podId);
  const before = known.get(key);
  if (before?.state === 'read') return before;
  const asked = underWay.get(key) ?? fetchRun(runId, podId);
  underWay.set(key, asked);
  const entry = await asked;
  underWay.delete(key);
  known.set(key, entry);
  return entry;
}

/** Never given up half way: whoever asks next would have to begin again. */
const never = new AbortController().signal;

async function fetchRun(runId: string, podId: string | null): Promise<HistoryEntry> {
  const path = `api/runs/${encodeURIComponent(runId)}`;
  const answer = await fetchJson(path, isResultsDocument, never);
  return answer.ok
    ? { runId, state: 'read', run: summariseRun(answer.value, podId) }
    : { runId, state: 'failed', problem: answer.problem };
}

function keyOf(runId: string, podId: string | null): string {
  return `${runId} ${podId ?? ''}`;
}
