import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import type { AnalyserServer } from '../generated/healthpod/analyser/v1/analyser.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { withoutForeignAddresses } from '../queue/foreign-addresses.js';
import { analyse } from './analyse.js';
import { CallError } from './call-error.js';
import { cancel } from './cancel.js';
import type { ServiceParts } from './service-parts.js';

/** The three calls. Only Analyse waits; the others answer from memory. */
export function createAnalyserService(parts: ServiceParts): AnalyserServer {
  const { queue, readiness, analyser } = parts;
  const own = { webIds: [analyser.web_id], serverUrl: analyser.server_url };
  return {
    analyse: answering((call) => analyse(parts, call)),
    cancel: answering((call) => cancel(parts, call)),
    status: answering(() => {
      readiness.recheck();
      const { ready, reason } = readiness.state;
      return {
        ready: ready && queue.problem === '',
        analyser_web_id: analyser.web_id,
        active_runs: queue.inHand,
        last_run_id: queue.lastRun.id,
        last_run_at: queue.lastRun.at,
        message: queue.problem === '' ? withoutForeignAddresses(reason, own) : queue.problem,
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
