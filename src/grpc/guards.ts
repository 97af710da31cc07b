import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type MetadataValue,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';

/**
 * Guards every method of every service on the port, because it is set on the server and not on a
 * handler. A refused call ends before its message is read. Of several `authorization` lines Node
 * passes on only the first; several values in one line are refused.
 */
export function createTokenInterceptor(token: string): ServerInterceptor {
  const expected = digest(`Bearer ${token}`);
  // Hashes have equal length, so the time of the comparison reveals nothing.
  const isRight = (values: MetadataValue[]): boolean =>
    values.length === 1 && timingSafeEqual(digest(String(values[0])), expected);
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const sent = metadata.get('authorization');
            if (isRight(sent)) {
              pass(metadata);
              return;
            }
            const details =
              sent.length === 0
                ? 'The call must carry the metadata "authorization: Bearer TOKEN".'
                : 'The metadata "authorization" must be sent once, as "Bearer TOKEN" with the token of this service.';
            call.sendStatus({ code: status.UNAUTHENTICATED, details });
          },
        }),
    });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Ends calls that send too many messages or stay silent for too long. No ordinary client makes such calls. Server
 * reflection answers every message even if nobody reads the answers, so an endless stream would fill the memory. So
 * would many calls that stay open and send nothing.
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
