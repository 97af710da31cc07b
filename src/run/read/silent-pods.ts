import { ServerError } from '../../base/errors.js';
import { isFor } from '../../pod/outcome.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { isNotAsked, isSilent } from '../table/fate.js';
import { askedOf, type Folder, filesOf, type Pod, type Row } from '../table/row.js';
import { givenUp } from './ask-pod.js';
import type { Asking } from './read-task.js';

/**
 * What a server says to a request for its first page, which belongs to no Pod: anything, nothing in the whole patience, or
 * it was cut. The request takes no place, so nobody who has Pods there can keep it from being sent.
 */
export async function knockAt(
  origin: string,
  client: SolidClient,
  { deadline: { signal }, patienceMs }: Asking,
): Promise<'answer' | 'silence' | 'cut'> {
  try {
    await client.request(`${origin}/`, { signal, patienceMs, isApart: true, maxBytes: 0 });
    return 'answer';
  } catch (error) {
    if (signal.aborted) return 'cut';
    const failure = error instanceof ServerError ? error.failure : null;
    return failure === 'slow' || failure === 'unreachable' ? 'silence' : 'answer';
  }
}

/**
 * A Pod of which some known file was silent, and nothing gave an answer, is silent as a whole: otherwise it would stay in
 * the average for ever with what there was no time to send. So is every Pod of a silent server.
 */
export function noteSilence(pods: readonly Pod[], isServerSilent: boolean): void {
  for (const pod of pods) {
    const known = filesOf(pod).filter((row) => row.known !== null);
    if (!(isServerSilent || known.some(isSilent)) || hasAnswered(pod)) continue;
    for (const row of known.filter(isNotAsked)) row.outcome = givenUp;
  }
}

export function hasAnswered(pod: Pod): boolean {
  // What has another name is not asked for.
  const gaveNone = (asked: Row | Folder) =>
    isSilent(asked) || isNotAsked(asked) || isFor(asked.outcome, 'other name');
  return !askedOf(pod).every(gaveNone);
}
