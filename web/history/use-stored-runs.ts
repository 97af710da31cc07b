import type { Problem } from '../api/problem.js';
import { arrayOf, isString, shape } from '../api/shape.js';
import { useAnswer } from '../api/use-answer.js';
import type { Live } from '../live/live.js';

/** Which runs the service has stored. */
export interface StoredRuns {
  /** Newest first. */
  ids: readonly string[];
  state: 'waiting' | 'listed' | 'failed';
  problem: Problem | null;
}

const isRunsBody = shape<{ runs: string[] }>({ runs: arrayOf(isString) });
const none: readonly string[] = [];

/** Asked for again when there are new results. */
export function useStoredRuns(live: Live): StoredRuns {
  const newest = live.results?.run_id ?? '';
  const answer = useAnswer('api/runs', isRunsBody, live.tick, newest);
  if (answer === null) return { ids: none, state: 'waiting', problem: null };
  return answer.ok
    ? { ids: answer.value.runs, state: 'listed', problem: null }
    : { ids: none, state: 'failed', problem: answer.problem };
}
