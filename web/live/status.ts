import { isNumber, isString, literal, nullable, optional, shape } from '../api/shape.js';
import { countOf, formatCount } from '../format/format-number.js';
import { formatElapsed } from '../format/format-time.js';

interface EndedAnalysis {
  run_id: string | null;
  status: 'COMPLETED' | 'NO_DATA' | 'FAILED';
  started_at: string;
  finished_at: string;
  message: string;
}

interface RunningAnalysis {
  started_at: string;
  callers: number;
  files: { read: number; all: number } | null;
}

/** The answer of /api/status. */
export interface ServiceStatus {
  /** When the service answered, by its own clock. */
  time: string;
  /** The service that waits for calls; null where none was ever started. */
  analyser: { state: 'alive' | 'silent' | 'stopped'; at: string } | null;
  running: RunningAnalysis | null;
  /** What `running` names, when its process is gone without a word of its end. */
  interrupted: { started_at: string } | null;
  last_run: EndedAnalysis | null;
  last_cancelled: { started_at: string; finished_at: string } | null;
  /** What runs and charts take on the disk; an older service does not tell. */
  stored?: { bytes: number; bytes_per_day: number } | null | undefined;
}

export const isServiceStatus = shape<ServiceStatus>({
  time: isString,
  analyser: nullable(
    shape<NonNullable<ServiceStatus['analyser']>>({
      state: literal('alive', 'silent', 'stopped'),
      at: isString,
    }),
  ),
  running: nullable(
    shape<RunningAnalysis>({
      started_at: isString,
      callers: isNumber,
      files: nullable(shape<{ read: number; all: number }>({ read: isNumber, all: isNumber })),
    }),
  ),
  interrupted: nullable(shape<{ started_at: string }>({ started_at: isString })),
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
  stored: optional(
    nullable(
      shape<{ bytes: number; bytes_per_day: number }>({ bytes: isNumber, bytes_per_day: isNumber }),
    ),
  ),
});

/** The mark of an analysis stays when its process is killed. */
export function analysisAtWork({ running, interrupted }: ServiceStatus): RunningAnalysis | null {
  return interrupted === null ? running : null;
}

/** `42 s`, `read 40 of 312 files`, `2 callers`: how far the analysis at work has come, and for whom. */
export function describeProgress(running: RunningAnalysis, time: string): string {
  const { started_at, callers, files } = running;
  return [
    formatElapsed(Date.parse(time) - Date.parse(started_at)),
    ...(files === null ? [] : [`read ${formatCount(files.read)} of ${countOf(files.all, 'file')}`]),
    ...(callers === 0 ? [] : [countOf(callers, 'caller')]),
  ].join(' · ');
}
