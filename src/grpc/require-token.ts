import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type MetadataValue,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { CallError } from './call-error.js';

/**
 * Set on the server, so it guards every method, before the message is read. Of several `authorization` lines Node
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
            call.sendStatus(
              new CallError(details, status.UNAUTHENTICATED, 'token-rejected').ending,
            );
          },
        }),
    });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
