import { AnalyserError, type ErrorKind } from '../base/errors.js';

/** Failures that an app can tell apart. The kind decides the exit code of a mode. */
export const kindsOfCodes = {
  /** The own Pod has no keys yet: `initialiseOwnPod` makes them. */
  'not-initialised': 'keys',
  /** The security key is not the one that the own Pod was initialised with. */
  'wrong-security-key': 'keys',
  /** The own Pod has keys already; they are never replaced. */
  'already-initialised': 'keys',
  /** The service says in its Status that it cannot work now; the message says why. */
  'not-ready': 'call',
  /** The service says in its Status that it acts for another Analyser Pod. */
  'wrong-analyser': 'configuration',
  /** The storage server refused the login: wrong or expired credentials, or a wrong password. */
  'credentials-rejected': 'server',
  'token-rejected': 'call',
  /** The service asks callers to prove their WebID and did not accept the proof. */
  'proof-rejected': 'call',
  /** The service does not answer, or not in time. */
  unreachable: 'call',
  /** Another gRPC service answers at the address, or the service refused the call. */
  'call-refused': 'call',
  /** The storage server does not answer, or not in time; finished steps stay done. */
  'server-unreachable': 'server',
  /** The storage server answered, but did not do what the app asked. */
  'server-refused': 'server',
  /** A document in a Pod does not have the expected content. */
  damaged: 'malformed',
  /** The app has passed a value that is not valid; `field` names it. */
  'invalid-input': 'configuration',
  /** The Analyser Pod has no public key that readings could be sealed for. */
  'recipient-not-initialised': 'keys',
  /** There is no reading of that second in the own Pod. */
  'no-reading': 'server',
  /** There is no result at its address, or the user may not read it. */
  'no-result': 'server',
  /** The document at the address is the result of an earlier run. */
  'stale-result': 'timeout',
  /** The result is there, but its key was never handed over. */
  'key-missing': 'keys',
  /** The result does not open with the key that was handed over. */
  'wrong-key': 'keys',
  /** The app has closed the connection. */
  closed: 'cancelled',
  /** The app's AbortSignal ended the work. */
  aborted: 'cancelled',
} as const satisfies Record<string, ErrorKind>;

export type ClientErrorCode = keyof typeof kindsOfCodes;

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
