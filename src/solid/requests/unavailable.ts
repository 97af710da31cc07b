import { ServerError } from '../../base/errors.js';
import type { SolidAnswer } from '../solid-client.js';

/** The server answered 5xx or 429: it is in trouble, and the document itself may be fine. */
export class UnavailableError extends ServerError {
  /** Whether the server says "not now" because it is overloaded, whichever document is asked for. */
  readonly isBusy: boolean;
  /** How long the server wants to be left alone; 0 if it does not say. */
  readonly pauseMs: number;

  constructor({ url, status, headers }: SolidAnswer) {
    const wanted = headers['retry-after'];
    const message = `${url} answered HTTP ${status}: the server is overloaded or in trouble.`;
    super('unavailable', message, { url, status });
    this.isBusy = status === 429 || status === 503 || wanted !== undefined;
    this.pauseMs = readRetryAfter(wanted);
  }
}

/** 5xx that count as answers: 501 says that the document has no such form, 507 that the disk is full. */
const ANSWERS: ReadonlySet<number> = new Set([501, 507]);

/** The Community Solid Server's error when it is asked under a name other than its base URL. */
const FOREIGN_NAME = 'outside the configured identifier space';

/** Returns the answer; throws for 429, and for 5xx except 501 and 507. */
export function rejectUnavailable(answer: SolidAnswer): SolidAnswer {
  const { status, url } = answer;
  if (status === 500 && answer.body.includes(FOREIGN_NAME)) {
    const message = `The server at ${new URL(url).host} does not know itself by that name: use the address in its own configuration (its base URL), to the letter.`;
    const error = new ServerError('unreachable', message, { url, status });
    // Another try would use the same wrong name.
    error.isFinal = true;
    throw error;
  }
  if ((status >= 500 && !ANSWERS.has(status)) || status === 429) throw new UnavailableError(answer);
  return answer;
}

/** Seconds as milliseconds. A date, which no server is known to send, counts as no wish. */
export function readRetryAfter(value = ''): number {
  return /^\d{1,9}$/.test(value) ? Number(value) * 1000 : 0;
}
