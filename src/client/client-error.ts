import { AnalyserError, type ErrorKind } from '../base/errors.js';

/** Failures that an app can tell apart, so that it can explain each to its user. */
export type ClientErrorCode =
  /** The own Pod has no keys yet: `initialiseOwnPod` makes them. */
  | 'not-initialised'
  /** The security key is not the one that the own Pod was initialised with. */
  | 'wrong-security-key'
  /** The own Pod has keys already; they are never replaced. */
  | 'already-initialised'
  /** By its Status, the service cannot work now; the message says why. */
  | 'not-ready'
  /** By its Status, the service acts for another Analyser Pod. */
  | 'wrong-analyser'
  | 'token-rejected'
  /** The service asks callers to prove their WebID and did not accept the proof. */
  | 'proof-rejected'
  /** The service does not answer, or not in time. */
  | 'unreachable'
  /** The Analyser Pod has no public key that readings could be sealed for. */
  | 'recipient-not-initialised'
  /** There is no result at its address, or it may not be read. */
  | 'no-result'
  /** The document at the address is that of an earlier run. */
  | 'stale-result'
  /** The document of this run is not what the service has written: somebody has changed it. */
  | 'changed-result'
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
  'changed-result': 'malformed',
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
