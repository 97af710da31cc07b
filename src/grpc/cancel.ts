import {
  type CancelReply,
  type CancelRequest,
  CancelStatus,
} from '../generated/healthpod/analyser/v1/analyser.js';
import type { ServiceParts } from './service-parts.js';
import { requireWebId } from './wrong-call.js';

/** Stops every analysis of the WebID, running or waiting; answered from memory. */
export function cancel<Connection>(
  { turns, log }: ServiceParts<Connection>,
  request: CancelRequest,
): CancelReply {
  requireWebId(request.web_id);
  const found = turns.cancel(request.web_id);
  const stopped = found.filter((run) => run.stopped);
  log.debug({ web_id: request.web_id.slice(0, 200), stopped: stopped.length }, 'Cancel.');
  const run_id =
    (stopped.length > 0 ? stopped : found).find((run) => run.runId !== '')?.runId ?? '';
  if (stopped.length > 0) {
    return {
      status: CancelStatus.CANCEL_STATUS_STOPPED,
      message: 'The analysis is being stopped; nothing of it is kept.',
      run_id,
    };
  }
  return {
    status: CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
    message:
      found.length > 0
        ? 'The analysis has passed its last checkpoint; its result is on its way.'
        : 'No analysis is running or waiting for this WebID.',
    run_id,
  };
}
