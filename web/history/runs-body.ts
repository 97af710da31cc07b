import { arrayOf, isRecord, isString, shape } from '../api/shape.js';

export const isRunsBody = shape<{ runs: unknown[] }>({
  runs: arrayOf((entry): entry is unknown => isString(entry) || isRecord(entry)),
});

/** An entry is a run id, or an object that holds one. */
export function runIdsOf({ runs }: { runs: unknown[] }): string[] {
  return runs
    .map((entry) => (isRecord(entry) ? entry['run_id'] : entry))
    .filter((runId) => isString(runId));
}
