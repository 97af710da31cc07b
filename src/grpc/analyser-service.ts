import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import type { AnalyserServer } from '../generated/healthpod/analyser/v1/analyser.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { analyse } from './analyse.js';
import { isRecorded } from './analyse-reply.js';
import { cancel } from './cancel.js';
import type { ServiceParts } from './service-parts.js';
import { WrongCall } from './wrong-call.js';

/** The three calls. Only Analyse ever waits; the others answer from memory. */
export function createAnalyserService<Connection>(parts: ServiceParts<Connection>): AnalyserServer {
  const { line, readiness, analyser } = parts;
  return {
    analyse: answering(async (call) => {
      const reply = await analyse(parts, call);
      if (isRecorded(reply)) await line.record({ id: reply.run_id, at: reply.generated_at });
      return reply;
    }),
    cancel: answering((call) => cancel(parts, call)),
    status: answering(() => ({
      ready: readiness.ready && line.problem === '',
      analyser_web_id: analyser.web_id,
      active_runs: line.inHand,
      last_run_id: line.lastRun.id,
      last_run_at: line.lastRun.at,
      message: line.problem === '' ? readiness.reason : line.problem,
    })),
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
            error instanceof WrongCall
              ? { code: error.code, details: error.message }
              : { code: status.INTERNAL, details: failureSentence(error) },
          ),
      );
  };
}
