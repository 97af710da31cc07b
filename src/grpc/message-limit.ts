import type { ServerInterceptor } from '@grpc/grpc-js';
import { ServerInterceptingCall, status } from '@grpc/grpc-js';

/**
 * Server reflection answers every message of a stream even if nobody reads the answers, so an
 * endless stream would fill the memory, as would calls that stay open and send nothing. No
 * ordinary client does either.
 */
export function createMessageLimit(perCall: number, silenceMs: number): ServerInterceptor {
  return (_method, call) => {
    let received = 0;
    const silence = setTimeout(() => {
      const seconds = silenceMs / 1000;
      const details = `The call was open for ${seconds} seconds without a message.`;
      call.sendStatus({ code: status.DEADLINE_EXCEEDED, details });
    }, silenceMs);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMessage: (message, pass) => {
            received += 1;
            silence.refresh();
            if (received <= perCall) {
              pass(message);
              return;
            }
            const details = `A call may send ${perCall} messages at most.`;
            call.sendStatus({ code: status.RESOURCE_EXHAUSTED, details });
          },
          onReceiveHalfClose: (pass) => {
            clearTimeout(silence);
            pass();
          },
          onCancel: () => clearTimeout(silence),
        }),
      sendStatus: (outcome, next) => {
        clearTimeout(silence);
        next(outcome);
      },
    });
  };
}
