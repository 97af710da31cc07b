import { status } from '@grpc/grpc-js';

/** A call that is refused with a gRPC status instead of a reply. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code: status = status.INVALID_ARGUMENT,
  ) {
    super(message);
  }
}

export function requireNamedWebId(text: string): void {
  if (text.trim() === '') throw new CallError('web_id is missing: name the WebID of the caller.');
}
