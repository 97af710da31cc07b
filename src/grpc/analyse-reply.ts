import { type AnalyseReply, AnalyseStatus } from '../generated/healthpod/analyser/v1/analyser.js';
import type { AnalysisReport } from '../queue/analysis-report.js';
import { type OwnAddresses, withoutForeignAddresses } from './own-addresses.js';

export function toReply(
  report: AnalysisReport,
  sharedFileCount: number,
  own: OwnAddresses,
): AnalyseReply {
  const message = withoutForeignAddresses(report.message, own);
  const reply = { ...report, status: AnalyseStatus[`ANALYSE_STATUS_${report.status}`], message };
  const inView = report.files_read + report.files_skipped;
  if (!isRecorded(reply) || sharedFileCount <= inView) return reply;
  const partial = `You shared ${sharedFileCount} files, of which ${inView} were in view of this analysis.`;
  return { ...reply, message: [message, partial].filter((text) => text !== '').join(' ') };
}

/** A run whose results document exists; the others leave no trace. */
export function isRecorded(reply: AnalyseReply): boolean {
  return (
    reply.status === AnalyseStatus.ANALYSE_STATUS_COMPLETED ||
    reply.status === AnalyseStatus.ANALYSE_STATUS_NO_DATA
  );
}

export function withoutResult(outcome: AnalyseStatus, message: string, run_id = ''): AnalyseReply {
  return {
    status: outcome,
    run_id,
    message,
    result_url: '',
    generated_at: '',
    pod_count: 0,
    observation_count: 0,
    files_read: 0,
    files_skipped: 0,
    published: false,
  };
}
