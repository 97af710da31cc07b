import { type handleUnaryCall, type ServerUnaryCall, status } from '@grpc/grpc-js';
import {
  type AnalyserServer,
  AnalyserService,
} from '../generated/healthpod/analyser/v1/analyser.js';
import { failureSentence } from '../run/analysis-report.js';
import { analyse } from './analyse-call.js';
import type { CallContext } from './call-context.js';
import { CallError } from './call-error.js';
import { cancel } from './cancel-call.js';

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

/**
 * The definition of the calls. A request that cannot be decoded is read as an empty request, so that Analyse and Cancel
 * answer INVALID_ARGUMENT: the contract knows no other error for a mistake of the caller. The library by itself would
 * answer with an internal error.
 */
export const lenientDefinition = {
  analyse: lenient(AnalyserService.analyse),
  cancel: lenient(AnalyserService.cancel),
  status: lenient(AnalyserService.status),
};

function lenient<Method extends { requestDeserialize: (bytes: Buffer) => unknown }>(
  method: Method,
): Method {
  return {
    ...method,
    requestDeserialize: (bytes: Buffer) => {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return method.requestDeserialize(Buffer.alloc(0));
      }
    },
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
