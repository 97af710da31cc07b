import type { ServerInterceptor } from '@grpc/grpc-js';
import { ServerInterceptingCall, status } from '@grpc/grpc-js';

/**
 * Server reflection answers every message of a stream whether or not the answers are read, so
 * an endless stream of questions would fill the memory. No ordinary client asks this often.
 */
export function createMessageLimit(messagesPerCall: number): ServerInterceptor {
  return (_method, call) => {
    let received = 0;
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMessage: (message, pass) => {
            received += 1;
            if (received <= messagesPerCall) {
              pass(message);
              return;
            }
            call.sendStatus({
              code: status.RESOURCE_EXHAUSTED,
              details: `A call may send ${messagesPerCall} messages at most.`,
            });
          },
        }),
    });
  };
}
