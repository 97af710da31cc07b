import {
  AnalyserError,
  type ErrorKind,
  messageOf,
  ServerError,
  type ServerFailure,
} from './errors.js';

/** An error on its way between threads or processes, as plain data without its class. */
export interface WireError {
  /** Null for a bug of ours. */
  kind: ErrorKind | null;
  message: string;
  /** Null unless the error is a ServerError. */
  server: { failure: ServerFailure; url: string; status: number | null } | null;
}

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
