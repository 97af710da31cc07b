import { AnalyserError, type ErrorKind, isUnanswered, ServerError } from '../base/errors.js';
import { PodKeysError } from '../pod/unlock-pod.js';
import { stoppedBy } from '../solid/solid-client.js';
import { ClientError, type ClientErrorCode } from './client-error.js';
import type { OwnPod } from './own-pod.js';

/** Replaces the message for operators, which names the mode setup: users of an app cannot run it. */
const neverInitialised = 'Your Pod was never initialised: its keys have to be made first.';
const howToInitialise = 'The function initialiseOwnPod or the mode app init makes them.';

/** The codes of errors that no function has given a code of its own, by kind. Other kinds never happen in an app. */
const codes: Partial<Record<ErrorKind, ClientErrorCode>> = {
  configuration: 'invalid-input',
  keys: 'damaged',
  server: 'server-refused',
  malformed: 'damaged',
  call: 'call-refused',
  cancelled: 'closed',
};

/** Wraps every function of the library, so that one cause gives the same error in all of them. */
export async function translateErrors<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal?.aborted === true) throw stoppedByApp(signal.reason);
    if (error instanceof ClientError || !(error instanceof AnalyserError)) throw error;
    throw translate(error);
  }
}

function stoppedByApp(cause: unknown): ClientError {
  const message = cause instanceof AnalyserError ? cause.message : 'The app stopped this.';
  return new ClientError('aborted', message, { cause });
}

function translate(cause: AnalyserError): AnalyserError {
  const code = codeFor(cause);
  if (code === 'not-initialised') {
    return new ClientError(code, neverInitialised, { cause, hint: howToInitialise });
  }
  return code === undefined ? cause : new ClientError(code, cause.message, { cause });
}

function codeFor(error: AnalyserError): ClientErrorCode | undefined {
  if (error instanceof PodKeysError) {
    return error.problem === 'damaged' ? 'wrong-key' : error.problem;
  }
  if (isUnanswered(error)) return 'server-unreachable';
  const isLogin = error instanceof ServerError && error.failure === 'login';
  return isLogin ? 'credentials-rejected' : codes[error.kind];
}

/** Does the same as `translateErrors` for work on the own Pod. The signal also ends the requests of this work. */
export function workOn<T>(
  ownPod: OwnPod,
  signal: AbortSignal | undefined,
  work: (ownPod: OwnPod) => Promise<T>,
): Promise<T> {
  return translateErrors(signal, () =>
    work({ ...ownPod, client: stoppedBy(ownPod.client, signal) }),
  );
}
