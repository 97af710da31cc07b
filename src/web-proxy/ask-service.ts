import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import type { ServiceConnections } from './service-connections.js';
import type { Outcome } from './wire.js';

export interface Reply {
  /** The frames of the message, if there is one. */
  frames: Buffer;
  outcome: Outcome;
  /** Why the service gave no reply; for the log. */
  failure?: Error;
}

/** Far above any reply. */
const mostBytes = 4 * 1024 * 1024;

const UNAVAILABLE = '14';

/** Makes one call. An abort cancels it, and it ends at once. */
export function askService(
  service: ServiceConnections,
  { path, headers, frames }: { path: string; headers: OutgoingHttpHeaders; frames: Buffer },
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    let outcome: Outcome | null = null;
    let failure = new Error('The answer is not one of gRPC.');
    const call = service.request({
      ...headers,
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc+proto',
      te: 'trailers',
    });
    const cancel = () => call.close(constants.NGHTTP2_CANCEL);
    signal.addEventListener('abort', cancel, { once: true });
    const note = (ending: IncomingHttpHeaders) => {
      outcome = outcomeIn(ending) ?? outcome;
    };
    // A reply without a message has its outcome among the headers.
    call.on('response', note).on('trailers', note);
    call.on('data', (part: Buffer) => {
      size += part.length;
      if (size > mostBytes) cancel();
      else parts.push(part);
    });
    call.on('error', (error: Error) => {
      failure = error;
    });
    call.once('close', () => {
      signal.removeEventListener('abort', cancel);
      if (outcome === null || size > mostBytes) resolve(unavailable(failure));
      else resolve({ frames: Buffer.concat(parts), outcome });
    });
    call.end(frames);
  });
}

export function unavailable(failure: Error): Reply {
  const message = encodeURIComponent('The service does not answer; try again later.');
  return { frames: Buffer.alloc(0), outcome: { status: UNAVAILABLE, message }, failure };
}

function outcomeIn(headers: IncomingHttpHeaders): Outcome | null {
  const { 'grpc-status': status, 'grpc-message': message } = headers;
  if (typeof status !== 'string') return null;
  return { status, message: typeof message === 'string' ? message : '' };
}
