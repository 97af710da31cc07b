import type { Analysis } from '../api/guards.js';
import { failedDeliveriesOf } from '../history/counts-of-runs.js';

export interface Undelivered {
  count: number;
  /** The newest run that tells of one; null when there is none. */
  runId: string | null;
}

/** Deliveries that failed in the newest analysis, for any of its callers. */
export function findUndelivered(newest: Analysis | undefined): Undelivered {
  if (newest === undefined) return { count: 0, runId: null };
  const told = newest.runs.find(({ failed_deliveries }) => failed_deliveries > 0);
  return { count: failedDeliveriesOf(newest), runId: told?.run_id ?? null };
}
