import { countOf } from '../base/count-of.js';
import { type AnalyseReply, AnalyseStatus } from '../generated/healthpod/analyser/v1/analyser.js';
import { type AnalysisReport, isRecorded } from '../queue/analysis-report.js';
import { type OwnAddresses, withoutForeignAddresses } from '../queue/own-addresses.js';

export function toReply(
  report: AnalysisReport,
  sharedFileCount: number,
  own: OwnAddresses,
): AnalyseReply {
  const message = withoutForeignAddresses(report.message, own);
  const reply = { ...report, status: AnalyseStatus[`ANALYSE_STATUS_${report.status}`], message };
  const inView = report.files_read + report.files_skipped;
  if (!isRecorded(report) || sharedFileCount <= inView) return reply;
  const partial = `You shared ${countOf(sharedFileCount, 'file')}, of which ${inView} were in view of this analysis.`;
  return { ...reply, message: [message, partial].filter((text) => text !== '').join(' ') };
}
