/** What one caller is told of an analysis; field names are those of AnalyseReply. */
export interface AnalysisReport {
  status: 'COMPLETED' | 'CANCELLED' | 'NO_DATA' | 'FAILED';
  /** Empty when the analysis ended before it had one. */
  run_id: string;
  generated_at: string;
  /** A sentence for the caller: names no Pod, WebID or URL but the caller's and the Analyser's. */
  message: string;
  result_url: string;
  pod_count: number;
  observation_count: number;
  files_read: number;
  files_skipped: number;
  published: boolean;
}

export function reportWithoutResult(
  status: 'CANCELLED' | 'FAILED',
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
  };
}

/** An analysis that left a run document; the others leave no trace. */
export function isRecorded({ status }: AnalysisReport): boolean {
  return status === 'COMPLETED' || status === 'NO_DATA';
}
