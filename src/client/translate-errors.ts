import { AnalyserError } from '../base/errors.js';
import { PodKeysError } from '../pod/pod-keys-error.js';
import { stoppedBy } from '../solid/stopped-by.js';
import { ClientError } from './client-error.js';
import type { OwnPod } from './own-pod.js';

/** The message for operators names the mode setup, which is not for an app's user. */
const neverInitialised =
  'Your Pod was never initialised: make its keys first, with the mode app init or the function initialiseOwnPod.';

/**
 * Wraps every function of the library, so that one cause always gives the same error: an abort by
 * the app, a connection that the app has closed, a Pod that cannot be unlocked.
 */
export async function translateErrors<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (signal?.aborted === true) {
      const reason: unknown = signal.reason;
      const message = reason instanceof AnalyserError ? reason.message : 'The app stopped this.';
      throw new ClientError('aborted', message, { cause: reason });
    }
    if (error instanceof PodKeysError) {
      const isNew = error.problem === 'not-initialised';
      const message = isNew ? neverInitialised : error.message;
      const code = error.problem === 'damaged' ? 'wrong-key' : error.problem;
      throw new ClientError(code, message, { cause: error });
    }
    if (error instanceof AnalyserError && error.kind === 'cancelled') {
      throw new ClientError('closed', error.message, { cause: error });
    }
    throw error;
  }
}

/** The same for work on the own Pod, whose requests also end with the signal. */
export function workOn<T>(
  ownPod: OwnPod,
  signal: AbortSignal | undefined,
  work: (ownPod: OwnPod) => Promise<T>,
): Promise<T> {
  return translateErrors(signal, () =>
    work({ ...ownPod, client: stoppedBy(ownPod.client, signal) }),
  );
}
