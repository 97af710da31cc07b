/** What one run tells its caller; field names are those of AnalyseReply. */
export interface RunReport {
  status: 'COMPLETED' | 'CANCELLED' | 'NO_DATA' | 'FAILED';
  /** Empty when the run ended before it had one. */
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
