import { createHash, timingSafeEqual } from 'node:crypto';
import type { MetadataValue, ServerInterceptor } from '@grpc/grpc-js';
import { ServerInterceptingCall, status } from '@grpc/grpc-js';

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
            if (isRight(metadata.get('authorization'))) {
              pass(metadata);
              return;
            }
            call.sendStatus({
              code: status.UNAUTHENTICATED,
              details:
                'The call must carry the metadata "authorization: Bearer TOKEN" exactly once.',
            });
          },
        }),
    });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
