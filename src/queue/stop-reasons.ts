import { AnalyserError, type ErrorKind } from '../base/errors.js';

export type StopReason = 'cancel' | 'caller gone' | 'shutdown' | 'timeout' | 'turn lost';

const reasons: Record<StopReason, [ErrorKind, string]> = {
  cancel: ['cancelled', 'The analysis was cancelled.'],
  'caller gone': ['cancelled', 'The caller hung up, so the analysis was cancelled.'],
  shutdown: ['cancelled', 'The service is shutting down, so the analysis was cancelled.'],
  timeout: ['timeout', 'The analysis took too long and was abandoned.'],
  'turn lost': ['redis', 'The service lost its connection to Redis, so the analysis was given up.'],
};

/** Why an analysis was stopped, in words for its callers. */
export function stopError(reason: StopReason): AnalyserError {
  const [kind, sentence] = reasons[reason];
  return new AnalyserError(kind, sentence);
}
