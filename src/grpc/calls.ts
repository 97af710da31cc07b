import { type handleUnaryCall, type ServerUnaryCall, status } from '@grpc/grpc-js';
import type { AnalyserServer } from '../generated/healthpod/analyser/v1/analyser.js';
import { failureSentence } from '../run/analysis-report.js';
import { analyse } from './analyse-call.js';
import type { CallContext } from './call-context.js';
import { CallError } from './call-error.js';
import { cancel } from './cancel-call.js';

/** The three calls. Only Analyse waits for an analysis; Cancel and Status answer without waiting for one. */
export function createCalls(context: CallContext): AnalyserServer {
  const { queue, readiness, lastRun, analyser } = context;
  return {
    analyse: answering((call) => analyse(context, call)),
    cancel: answering((call) => cancel(context, call)),
    status: answering(() => {
      readiness.recheck();
      const { ready, reason } = readiness.state;
      const { id, at } = lastRun();
      return {
        ready,
        analyser_web_id: analyser.web_id,
        active_runs: queue.inHand,
        last_run_id: id,
        last_run_at: at,
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
              ? { code: error.code, details: error.message }
              : { code: status.INTERNAL, details: failureSentence(error) },
          ),
      );
  };
}
