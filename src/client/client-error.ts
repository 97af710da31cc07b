import { AnalyserError, type ErrorKind } from '../base/errors.js';

/** Failures that an app can tell apart, so that it can explain each to its user. */
export type ClientErrorCode =
  /** The own Pod has no keys yet: `initialiseOwnPod` makes them. */
  | 'not-initialised'
  /** The security key is not the one that the own Pod was initialised with. */
  | 'wrong-security-key'
  /** The own Pod has keys already; they are never replaced. */
  | 'already-initialised'
  /** The service says in its Status that it cannot work now; the message says why. */
  | 'not-ready'
  /** The service says in its Status that it acts for another Analyser Pod. */
  | 'wrong-analyser'
  /** The storage server refused the login: wrong or expired credentials, or a wrong password. */
  | 'credentials-rejected'
  | 'token-rejected'
  /** The service asks callers to prove their WebID and did not accept the proof. */
  | 'proof-rejected'
  /** The service does not answer, or not in time. */
  | 'unreachable'
  /** Another gRPC service answers at the address, or the service refused the call. */
  | 'call-refused'
  /** The storage server does not answer, or not in time; finished steps stay done. */
  | 'server-unreachable'
  /** The storage server answered, but did not do what the app asked. */
  | 'server-refused'
  /** A document in a Pod does not have the expected content. */
  | 'damaged'
  /** The app has passed a value that is not valid; `field` names it. */
  | 'invalid-input'
  /** The Analyser Pod has no public key that readings could be sealed for. */
  | 'recipient-not-initialised'
  /** There is no reading of that second in the own Pod. */
  | 'no-reading'
  /** There is no result at its address, or the user may not read it. */
  | 'no-result'
  /** The document at the address is the result of an earlier run. */
  | 'stale-result'
  /** The result is there, but its key was never handed over. */
  | 'key-missing'
  /** The result does not open with the key that was handed over. */
  | 'wrong-key'
  /** The app has closed the connection. */
  | 'closed'
  /** The app's AbortSignal ended the work. */
  | 'aborted';

export const kindsOfCodes: Readonly<Record<ClientErrorCode, ErrorKind>> = {
  'not-initialised': 'keys',
  'wrong-security-key': 'keys',
  'already-initialised': 'keys',
  'not-ready': 'call',
  'wrong-analyser': 'configuration',
  'credentials-rejected': 'server',
  'token-rejected': 'call',
  'proof-rejected': 'call',
  unreachable: 'call',
  'call-refused': 'call',
  'server-unreachable': 'server',
  'server-refused': 'server',
  damaged: 'malformed',
  'invalid-input': 'configuration',
  'recipient-not-initialised': 'keys',
  'no-reading': 'server',
  'no-result': 'server',
  'stale-result': 'timeout',
  'key-missing': 'keys',
  'wrong-key': 'keys',
  closed: 'cancelled',
  aborted: 'cancelled',
};

interface Details {
  cause?: unknown;
  field?: string;
  hint?: string;
}

/**
 * The message is a sentence for the app's user, without secrets; `hint` is for the operator of the service or the
 * developer of the app, and empty where there is nothing to add.
 */
export class ClientError extends AnalyserError {
  override readonly name = 'ClientError';
  /** With `invalid-input`: which value it is, such as systolic or webId; otherwise empty. */
  readonly field: string;

  constructor(
    readonly code: ClientErrorCode,
    message: string | readonly string[],
    { field = '', ...options }: Details = {},
  ) {
    super(kindsOfCodes[code], message, options);
    this.field = field;
  }
}
