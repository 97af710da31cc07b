import { useEffect, useState } from 'preact/hooks';
import { fetchJson } from '../api/fetch-json.js';
import { type Analysis, isAnalysesBody } from '../api/guards.js';
import type { Problem } from '../api/problem.js';
import type { Live } from '../live/live.js';

export interface Analyses {
  /** Newest first; page after page. */
  analyses: readonly Analysis[];
  /** How many there are, loaded or not. */
  total: number;
  loading: boolean;
  problem: Problem | null;
}

/** The most that the API gives at once. */
const pageSize = 1000;

const none: Analyses = { analyses: [], total: 0, loading: true, problem: null };

/**
 * The newest analyses that `query` chooses, as /api/analyses has it. Asked for again when there are new
 * results, and what was there stays meanwhile; a failure is tried again with every poll. Null
 * asks nothing.
 */
export function useAnalyses(
  live: Live,
  query: string | null,
  most = Number.POSITIVE_INFINITY,
): Analyses {
  const asked = `${query} ${most}`;
  const [held, setHeld] = useState({ asked, found: none });
  const found = held.asked === asked ? held.found : none;
  // Before the first poll nobody knows which results there are.
  const isAsked = query !== null && live.tick > 0;
  // The end of an analysis tells what of it has arrived.
  const version = `${live.results?.run_id} ${live.status?.last_run?.finished_at}`;
  const retry = found.problem === null ? 0 : live.tick;
  useEffect(() => {
    if (!isAsked) return;
    const stop = new AbortController();
    const show = (next: Analyses) => {
      if (!stop.signal.aborted) setHeld({ asked, found: next });
    };
    void loadPages(query, most, stop.signal, show);
    return () => stop.abort();
  }, [asked, isAsked, version, retry]);
  return found;
}

async function loadPages(
  query: string,
  most: number,
  signal: AbortSignal,
  show: (found: Analyses) => void,
): Promise<void> {
  const params = new URLSearchParams(query);
  const analyses: Analysis[] = [];
  for (let loading = true; loading && !signal.aborted; ) {
    params.set('limit', String(Math.min(pageSize, most - analyses.length)));
    const answer = await fetchJson(`api/analyses?${params.toString()}`, isAnalysesBody, signal);
    if (!answer.ok) {
      show({ analyses, total: analyses.length, loading: false, problem: answer.problem });
      return;
    }
    const { next, total } = answer.value;
    analyses.push(...answer.value.analyses);
    loading = next !== null && analyses.length < most;
    if (next !== null) params.set('before', next);
    show({ analyses: [...analyses], total, loading, problem: null });
  }
}
