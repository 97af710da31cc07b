import { ServerError } from '../base/errors.js';
import type { SolidAnswer } from './solid-client.js';

const REASONS: Record<number, string> = {
  401: 'the server does not accept the login',
  403: 'the WebID that is logged in may not do this; the client credentials may belong to another one',
  404: 'there is no such document',
  413: 'it is larger than the server takes, or the quota of this Pod is full',
  507: 'the storage of the server is full',
  412: 'it was changed by someone else in the meantime',
};

/** Whether the document does not exist, or not any more. */
export function isAbsent({ status }: Pick<SolidAnswer, 'status'>): boolean {
  return status === 404 || status === 410;
}

/** Throws unless the answer is a success; `what` completes "could not be". */
export function requireSuccess(answer: SolidAnswer, what: string): SolidAnswer {
  const { status, url } = answer;
  if (status >= 200 && status < 300) return answer;
  const isRedirect = status >= 300 && status < 400;
  const known = isRedirect ? 'it leads to another address, which is not followed' : REASONS[status];
  const reason = known === undefined ? '' : ` (${known})`;
  const message = `${url} could not be ${what}: HTTP ${status}${reason}.`;
  throw new ServerError('refused', message, { url, status });
}
