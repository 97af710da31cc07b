import { AnalyserError, ServerError } from '../base/errors.js';

/** A failure after which the login is no good any more and the next call logs in afresh. */
export function endsConnection(error: unknown): boolean {
  if (error instanceof ServerError)
    return error.failure === 'login' || error.details.status === 401;
  return error instanceof AnalyserError && error.kind === 'keys';
}
