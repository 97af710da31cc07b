import { isString, literal, nullable, shape } from '../api/shape.js';

interface EndedAnalysis {
  run_id: string | null;
  status: 'COMPLETED' | 'NO_DATA' | 'FAILED';
  started_at: string;
  finished_at: string;
  message: string;
}

/** The answer of /api/status. */
export interface ServiceStatus {
  /** When the service answered, by its own clock. */
  time: string;
  running: { started_at: string } | null;
  last_run: EndedAnalysis | null;
  last_cancelled: { started_at: string; finished_at: string } | null;
}

export const isServiceStatus = shape<ServiceStatus>({
  time: isString,
  running: nullable(shape<{ started_at: string }>({ started_at: isString })),
  last_run: nullable(
    shape<EndedAnalysis>({
      run_id: nullable(isString),
      status: literal('COMPLETED', 'NO_DATA', 'FAILED'),
      started_at: isString,
      finished_at: isString,
      message: isString,
    }),
  ),
  last_cancelled: nullable(
    shape<{ started_at: string; finished_at: string }>({
      started_at: isString,
      finished_at: isString,
    }),
  ),
});

/** A killed process leaves its marker behind: a marker older than the longest analysis is such a one. */
const longestMs = 15 * 60_000;

export function isLeftBehind({ running, time }: ServiceStatus): boolean {
  return running !== null && Date.parse(time) - Date.parse(running.started_at) > longestMs;
}
