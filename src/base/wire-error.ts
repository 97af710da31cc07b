import { z } from 'zod';
import { AnalyserError, errorKinds, messageOf, ServerError, serverFailures } from './errors.js';

/** An error on its way between threads, as plain data without its class. */
export const wireError = z.object({
  /** Null for a bug of ours. */
  kind: z.enum(errorKinds).nullable(),
  message: z.string(),
  /** Of a ServerError. */
  server: z
    .object({ failure: z.enum(serverFailures), url: z.string(), status: z.number().nullable() })
    .nullable(),
});
export type WireError = z.infer<typeof wireError>;

export function toWireError(error: unknown): WireError {
  const server =
    error instanceof ServerError
      ? {
          failure: error.failure,
          url: error.details.url,
          status: error.details.status ?? null,
        }
      : null;
  const kind = error instanceof AnalyserError ? error.kind : null;
  return { kind, message: messageOf(error), server };
}

export function fromWireError({ kind, message, server }: WireError): Error {
  if (server !== null) {
    const { failure, url, status } = server;
    return new ServerError(failure, message, { url, ...(status !== null && { status }) });
  }
  return kind === null ? new Error(message) : new AnalyserError(kind, message);
}
