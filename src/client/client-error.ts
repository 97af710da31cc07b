import { AnalyserError, type ErrorKind } from '../base/errors.js';

/** What an app can tell its user apart, each with a sentence of its own. */
export type ClientErrorCode =
  /** The own Pod has no keys yet: `initialiseOwnPod` makes them. */
  | 'not-initialised'
  /** The security key is not the one that the own Pod was initialised with. */
  | 'wrong-security-key'
  /** The own Pod has keys already; they are never replaced. */
  | 'already-initialised'
  /** Status says that the service cannot work now, and why. */
  | 'not-ready'
  /** Status says that the service acts for another Analyser Pod. */
  | 'wrong-analyser'
  | 'token-rejected'
  /** The service asks callers to prove their WebID, and was not convinced. */
  | 'proof-rejected'
  /** Nobody answers where the service should be, or not in time. */
  | 'unreachable'
  /** The Analyser Pod has no public key that readings could be sealed for. */
  | 'recipient-not-initialised'
  /** There is nothing at the address of the result that may be read. */
  | 'no-result'
  /** The document at the address is that of an earlier run. */
  | 'stale-result'
  /** The result is there, but its key was never handed over. */
  | 'key-missing'
  /** The result does not open with the key that was handed over. */
  | 'wrong-key'
  /** The app has closed the connection. */
  | 'closed'
  /** The app's AbortSignal ended it. */
  | 'aborted';

const kinds: Record<ClientErrorCode, ErrorKind> = {
  'not-initialised': 'keys',
  'wrong-security-key': 'keys',
  'already-initialised': 'keys',
  'not-ready': 'call',
  'wrong-analyser': 'configuration',
  'token-rejected': 'call',
  'proof-rejected': 'call',
  unreachable: 'call',
  'recipient-not-initialised': 'keys',
  'no-result': 'server',
  'stale-result': 'timeout',
  'key-missing': 'keys',
  'wrong-key': 'keys',
  closed: 'cancelled',
  aborted: 'cancelled',
};

export class ClientError extends AnalyserError {
  override readonly name = 'ClientError';

  constructor(
    readonly code: ClientErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(kinds[code], message, options);
  }
}
