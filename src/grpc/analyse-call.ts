import type { ServerUnaryCall } from '@grpc/grpc-js';
import { ServerError } from '../base/errors.js';
import { countOf } from '../base/sentences.js';
import {
  type AnalyseReply,
  type AnalyseRequest,
  AnalyseStatus,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { callerAddress, networkOf } from '../ports/caller-address.js';
import {
  type AnalysisReport,
  failureSentence,
  hasSucceeded,
  reportWithoutResult,
} from '../run/analysis-report.js';
import { type OwnAddresses, withoutForeignAddresses } from '../service/foreign-addresses.js';
import type { CallContext, Refusal } from './call-context.js';
import { requireNamedWebId } from './call-error.js';

/** By `performance.now()`. */
interface CallTimes {
  arrived: number;
  /** Null until the turn of the call begins. */
  turnAt: number | null;
}

type AnalyseCall = ServerUnaryCall<AnalyseRequest, AnalyseReply>;

/** Queues the call and replies with the report of its analysis. */
export async function analyse(context: CallContext, call: AnalyseCall): Promise<AnalyseReply> {
  const { web_id, shared_file_count: sharedFileCount, requested_at } = call.request;
  const webId = requireNamedWebId(web_id);
  try {
    await context.proof?.require(call.metadata, web_id, call.getPath());
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return refuse(context, { reason: failureSentence(error), err: error });
  }
  if (webId === null) {
    const reason =
      'web_id is not a WebID: it must be the URL of a Pod and then profile/card#me, without blanks, quotes, a user name, a query or dots for a folder.';
    return refuse(context, { reason });
  }
  context.log.debug({ web_id, requested_at: requested_at.slice(0, 40) }, 'Analyse.');
  // The request stays in memory while the call waits, so this text, which can be 256 kB long, is dropped.
  call.request.requested_at = '';
  const report = await ask(context, call, webId);
  const { web_id: analyser, server_url: serverUrl } = context.analyser;
  return toReply(report, sharedFileCount, { webIds: [web_id, analyser], serverUrl });
}

async function ask(
  context: CallContext,
  call: AnalyseCall,
  webId: string,
): Promise<AnalysisReport> {
  const { queue, observe, log } = context;
  const hungUp = new AbortController();
  const hangUp = () => hungUp.abort();
  call.on('cancelled', hangUp);
  if (call.cancelled) hangUp();
  const forwardedFor = call.metadata.get('x-forwarded-for').at(-1)?.toString();
  const address = callerAddress(context.proxies, addressOf(call.getPeer()), forwardedFor);
  const peer = networkOf(address);
  const times: CallTimes = { arrived: performance.now(), turnAt: null };
  const onTurn = () => {
    times.turnAt = performance.now();
    observe({ kind: 'call begins', waitedMs: times.turnAt - times.arrived });
  };
  observe({ kind: 'call waits' });
  try {
    const report = await queue.enqueue({ webId, peer, onTurn }, hungUp.signal);
    const durationMs = times.turnAt === null ? null : performance.now() - times.turnAt;
    observe({ kind: 'call ends', outcome: report.status, durationMs });
    logEnd(log, report, times);
    return report;
  } finally {
    call.off('cancelled', hangUp);
  }
}

function logEnd(
  log: CallContext['log'],
  report: AnalysisReport,
  { arrived, turnAt }: CallTimes,
): void {
  const { status, run_id, message, pod_count, files_read, files_skipped, published } = report;
  const end = performance.now();
  const waited_ms = Math.round((turnAt ?? end) - arrived);
  const duration_ms = turnAt === null ? 0 : Math.round(end - turnAt);
  const told = hasSucceeded(report)
    ? { pod_count, files_read, files_skipped, published }
    : { reason: message };
  const level = status === 'FAILED' ? 'warn' : 'info';
  log[level]({ status, run_id, waited_ms, duration_ms, ...told }, 'A call was answered.');
}

function refuse({ refusals }: CallContext, refusal: Refusal): AnalyseReply {
  refusals.note(refusal);
  return toReply(reportWithoutResult('FAILED', refusal.reason), 0, { webIds: [], serverUrl: '' });
}

/** `192.0.2.1:1234` or `2001:db8::1:1234`, without the port. */
function addressOf(peer: string): string {
  return peer.slice(0, Math.max(peer.lastIndexOf(':'), 0));
}

function toReply(report: AnalysisReport, sharedFileCount: number, own: OwnAddresses): AnalyseReply {
  const message = withoutForeignAddresses(report.message, own);
  const reply = { ...report, status: AnalyseStatus[`ANALYSE_STATUS_${report.status}`], message };
  const inView = report.files_read + report.files_skipped;
  if (!hasSucceeded(report) || sharedFileCount <= inView) return reply;
  const partial = `You shared ${countOf(sharedFileCount, 'file')}, of which this analysis had ${inView} in view.`;
  return { ...reply, message: [message, partial].filter((text) => text !== '').join(' ') };
}
