import { type handleUnaryCall, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { AnalyserError, ServerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { RareWarning } from '../base/rare-warning.js';
import { countOf } from '../base/sentences.js';
import {
  type AnalyseReply,
  type AnalyseRequest,
  type AnalyserServer,
  AnalyseStatus,
  type CancelReply,
  type CancelRequest,
  CancelStatus,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { type AddressSet, callerAddress, networkOf } from '../ports/caller-address.js';
import {
  type AnalysisReport,
  failureSentence,
  hasSucceeded,
  reportWithoutResult,
} from '../run/analysis-report.js';
import type { Observer } from '../run/observer.js';
import type { AnalysisQueue } from '../service/analysis-queue.js';
import { type OwnAddresses, withoutForeignAddresses } from '../service/foreign-addresses.js';
import { CallError, requireNamedWebId } from './call-error.js';
import type { CallerProof } from './caller-proof.js';

/** Whether an analysis could work now; known without waiting. */
export interface ServiceReadiness {
  readonly state: { ready: boolean; reason: string };
  /** Checks again if the last check was long ago; called whenever somebody asks for the state. */
  recheck(): void;
}

export interface Refusal {
  reason: string;
  err?: Error;
}

export interface CallContext {
  queue: AnalysisQueue;
  readiness: ServiceReadiness;
  /** Null when callers need not prove who they are. */
  proof: CallerProof | null;
  /** The proxies that are believed when they say who calls. */
  proxies: AddressSet;
  analyser: { web_id: string; server_url: string };
  log: Logger;
  /** A rare warning, because any caller can cause refusals. */
  refusals: RareWarning<Refusal>;
  observe: Observer;
}

/** The three calls. Only Analyse waits for an analysis; Cancel and Status answer without waiting for one. */
export function createCalls(context: CallContext): AnalyserServer {
  const { queue, readiness, analyser } = context;
  return {
    analyse: answering((call) => analyse(context, call)),
    cancel: answering((call) => cancel(context, call)),
    status: answering(() => {
      readiness.recheck();
      const { ready, reason } = readiness.state;
      return {
        ready,
        analyser_web_id: analyser.web_id,
        active_runs: queue.inHand,
        last_run_id: queue.lastRun.id,
        last_run_at: queue.lastRun.at,
        message: reason,
      };
    }),
  };
}

/** Every call is answered exactly once, here. */
function answering<Request, Reply>(
  handle: (call: ServerUnaryCall<Request, Reply>) => Reply | Promise<Reply>,
): handleUnaryCall<Request, Reply> {
  return (call, callback) => {
    void Promise.resolve(call)
      .then(handle)
      .then(
        (reply) => callback(null, reply),
        (error: unknown) =>
          callback(
            error instanceof CallError
              ? error.ending
              : { code: status.INTERNAL, details: failureSentence(error) },
          ),
      );
  };
}

interface CallTimes {
  arrived: number;
  /** Null until the turn of the call begins. */
  turnAt: number | null;
}

type AnalyseCall = ServerUnaryCall<AnalyseRequest, AnalyseReply>;

async function analyse(context: CallContext, call: AnalyseCall): Promise<AnalyseReply> {
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
  const { queue, observe } = context;
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
  const report = await queue.enqueue({ webId, peer, onTurn }, hungUp.signal);
  const durationMs = times.turnAt === null ? null : performance.now() - times.turnAt;
  observe({ kind: 'call ends', outcome: report.status, durationMs });
  logEnd(context, report, times);
  return report;
}

function logEnd(
  { analyser: { web_id, server_url: serverUrl }, log }: CallContext,
  report: AnalysisReport,
  { arrived, turnAt }: CallTimes,
): void {
  const { status, run_id, message, pod_count, files_read, files_skipped, published } = report;
  const end = performance.now();
  const waited_ms = Math.round((turnAt ?? end) - arrived);
  const duration_ms = turnAt === null ? 0 : Math.round(end - turnAt);
  const told = hasSucceeded(report)
    ? { pod_count, files_read, files_skipped, published }
    : // The caller's own Pod may be named in it.
      { reason: withoutForeignAddresses(message, { webIds: [web_id], serverUrl }) };
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

/**
 * Cancels every call of the WebID, running or waiting, that has not passed its last checkpoint. The reply does not wait
 * for the end of the analysis.
 */
async function cancel(
  { queue, proof, log }: CallContext,
  call: ServerUnaryCall<CancelRequest, CancelReply>,
): Promise<CancelReply> {
  const { web_id } = call.request;
  const caller = requireNamedWebId(web_id);
  await proof?.require(call.metadata, web_id, call.getPath()).catch(nobodyKnows);
  const found = caller === null ? [] : queue.cancel(caller);
  const cancelled = found.filter(({ isCancelled }) => isCancelled);
  log.debug({ web_id: web_id.slice(0, 200) }, 'Cancel.');
  log.info({ found: found.length, cancelled: cancelled.length }, 'A Cancel was answered.');
  const isAny = cancelled.length > 0;
  const named = (isAny ? cancelled : found).find(({ runId }) => runId !== '');
  const sentences = [
    isAny ? 'The analysis is being stopped.' : '',
    cancelled.length < found.length
      ? `${isAny ? 'An earlier one' : 'The analysis'} has passed its last checkpoint; its result is on its way.`
      : '',
    found.length === 0 ? 'No analysis is running or waiting for this WebID.' : '',
  ];
  return {
    status: isAny ? CancelStatus.CANCEL_STATUS_STOPPED : CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
    message: sentences.filter((sentence) => sentence !== '').join(' '),
    run_id: named?.runId ?? '',
  };
}

/** Without a check of the proof, any reply would be a guess: that an analysis was stopped, or that none is running. */
function nobodyKnows(error: unknown): never {
  const isAway = error instanceof AnalyserError && error.kind === 'server';
  throw isAway ? new CallError(failureSentence(error), status.UNAVAILABLE) : error;
}
