import { AnalyserError, ServerError } from '../base/errors.js';

/** Whether the login is invalid after this failure, so that the next call has to log in. */
export function endsConnection(error: unknown): boolean {
  if (error instanceof ServerError)
    return error.failure === 'login' || error.details.status === 401;
  return error instanceof AnalyserError && error.kind === 'keys';
}
