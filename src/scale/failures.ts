import { AnalyserError, messageOf, ServerError } from '../base/errors.js';
import type { Failure } from './work-messages.js';

/** An error on its way from a worker to the process whose run it ends. */
export function describeFailure(error: unknown): Failure {
  const message = messageOf(error);
  if (error instanceof ServerError) {
    const { failure, details } = error;
    const server = { failure, url: details.url, status: details.status ?? null };
    return { kind: error.kind, message, server };
  }
  // Anything else is a bug of the worker, and its log says which.
  const kind = error instanceof AnalyserError ? error.kind : 'call';
  return { kind, message, server: null };
}

export function toError({ kind, message, server }: Failure): AnalyserError {
  if (server === null) return new AnalyserError(kind, message);
  const { failure, url, status } = server;
  return new ServerError(failure, message, { url, ...(status !== null && { status }) });
}
