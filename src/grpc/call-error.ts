import { Metadata, status } from '@grpc/grpc-js';
import { canonicalWebId } from '../pod/addresses.js';
import { type CallRefusal, refusalName } from '../ports/call-refusal.js';

/** A call that is refused with a gRPC status instead of a reply. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code: status = status.INVALID_ARGUMENT,
    private readonly refusal: CallRefusal | null = null,
  ) {
    super(message);
  }

  get ending() {
    const metadata = new Metadata();
    if (this.refusal !== null) metadata.set(refusalName, this.refusal);
    return { code: this.code, details: this.message, metadata };
  }
}

/** Takes a WebID only in its one canonical form; null for a text that is not a WebID in any form. */
export function requireNamedWebId(text: string): string | null {
  if (text.trim() === '') throw new CallError('web_id is missing: name the WebID of the caller.');
  const canonical = canonicalWebId(text);
  if (canonical === null || canonical === text) return canonical;
  throw new CallError(
    `web_id is written in another form than this service takes: use ${canonical}`,
  );
}
