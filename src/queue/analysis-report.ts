import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { failureSentence } from './failure-sentence.js';

/** What one caller is told of an analysis; field names are those of AnalyseReply. */
export const analysisReport = z.object({
  status: z.enum(['COMPLETED', 'CANCELLED', 'NO_DATA', 'FAILED']),
  /** Empty when the analysis ended before it had one. */
  run_id: z.string(),
  generated_at: z.string(),
  /** A sentence for the caller: names no Pod, WebID or URL but the caller's and the Analyser's. */
  message: z.string(),
  result_url: z.string(),
  pod_count: z.number(),
  observation_count: z.number(),
  files_read: z.number(),
  files_skipped: z.number(),
  published: z.boolean(),
  /** Of the caller's own document, when it was published; a process of an earlier version gives none. */
  result_sha256: z.string().default(''),
});
export type AnalysisReport = z.infer<typeof analysisReport>;

export function reportWithoutResult(
  status: AnalysisReport['status'],
  message: string,
  runId = '',
): AnalysisReport {
  return {
    status,
    run_id: runId,
    generated_at: '',
    message,
    result_url: '',
    pod_count: 0,
    observation_count: 0,
    files_read: 0,
    files_skipped: 0,
    published: false,
    result_sha256: '',
  };
}

/** CANCELLED when somebody stopped the analysis; FAILED after a time limit or whatever else. */
export function reportOfFailure(error: unknown, runId = ''): AnalysisReport {
  const isWanted = error instanceof AnalyserError && error.kind === 'cancelled';
  return reportWithoutResult(isWanted ? 'CANCELLED' : 'FAILED', failureSentence(error), runId);
}

/** Whether the call left a run document; other calls leave no trace. */
export function hasRunDocument({ status }: AnalysisReport): boolean {
  return status === 'COMPLETED' || status === 'NO_DATA';
}
