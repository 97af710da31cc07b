import { type ServerUnaryCall, status } from '@grpc/grpc-js';
import { AnalyserError } from '../base/errors.js';
import {
  type CancelReply,
  type CancelRequest,
  CancelStatus,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { failureSentence } from '../run/analysis-report.js';
import type { CallContext } from './call-context.js';
import { CallError, requireNamedWebId } from './call-error.js';

/**
 * Cancels every call of the WebID, running or waiting, that has not passed its last checkpoint. The reply does not wait
 * for the end of the analysis.
 */
export async function cancel(
  { queue, proof, log }: CallContext,
  call: ServerUnaryCall<CancelRequest, CancelReply>,
): Promise<CancelReply> {
  const { web_id } = call.request;
  const caller = requireNamedWebId(web_id);
  await proof?.require(call.metadata, web_id, call.getPath()).catch(nobodyKnows);
  const found = caller === null ? [] : queue.cancel(caller);
  const stopped = found.filter(({ isCancelled }) => isCancelled);
  log.debug({ web_id: web_id.slice(0, 200) }, 'Cancel.');
  log.info({ found: found.length, stopped: stopped.length }, 'A Cancel was answered.');
  const isStopped = stopped.length > 0;
  const named = (isStopped ? stopped : found).find(({ runId }) => runId !== '');
  const sentences = [
    isStopped ? 'The analysis is being stopped.' : '',
    stopped.length < found.length
      ? `${isStopped ? 'An earlier one' : 'The analysis'} has passed its last checkpoint; its result is on its way.`
      : '',
    found.length === 0 ? 'No analysis is running or waiting for this WebID.' : '',
  ];
  return {
    status: isStopped
      ? CancelStatus.CANCEL_STATUS_STOPPED
      : CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
    message: sentences.filter((sentence) => sentence !== '').join(' '),
    run_id: named?.runId ?? '',
  };
}

/**
 * A proof that cannot be checked now is the gRPC status UNAVAILABLE here: a reply could only say that an analysis was
 * stopped, or that none is running. Analyse replies FAILED, which says that the caller has no result.
 */
function nobodyKnows(error: unknown): never {
  const isAway = error instanceof AnalyserError && error.kind === 'server';
  throw isAway ? new CallError(failureSentence(error), status.UNAVAILABLE) : error;
}
