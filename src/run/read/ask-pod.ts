import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import { type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { isSuccess } from '../../solid/documents.js';
import type { SolidClient, SolidRequest } from '../../solid/solid-client.js';
import { limits } from '../limits.js';
import type { Deadline } from './deadline.js';
import type { Asking } from './read-task.js';

export const givenUp = notRead('silence', 'its server gives no answers');

interface Question extends Asking {
  root: string;
  /** Whether the share was read in an earlier analysis: only then does silence count against the Pod. */
  isKnown: boolean;
}

/** How a request is sent. `tries`: undefined leaves the number to the client. */
export type HowToAsk = Pick<SolidRequest, 'signal' | 'tries' | 'patienceMs'>;

/** Gives up a silent Pod, but not its server: the owner of a Pod can make files for which a server gives no answer. */
export class PodAsker {
  /** For each Pod, by root, the silences in succession about shares that were read before. */
  readonly #silences = new Map<string, number>();

  async ask<T extends object>(
    { root, isKnown, deadline, patienceMs }: Question,
    ask: (how: HowToAsk) => Promise<T>,
  ): Promise<T | NotRead> {
    // A Cancel throws, here and below: it is not the outcome of a file.
    if (deadline.isOverOrThrow()) return notAsked;
    const silences = this.#silences.get(root) ?? 0;
    if (silences >= limits.silences) {
      // New addresses were not asked for. If they counted as silent, the others of their Pod would come in without them.
      return isKnown ? givenUp : notRead('not asked', givenUp.reason);
    }
    try {
      const tries = silences > 0 ? 1 : undefined;
      const answer = await ask({ signal: deadline.signal, tries, patienceMs });
      this.#silences.delete(root);
      return answer;
    } catch (error) {
      // What gave no answer in its whole patience is silent, even if the time is over by now.
      if (deadline.isOverOrThrow() && !isUnanswered(error)) return notAsked;
      if (!isAboutAddress(error)) throw error;
      if (!isUnanswered(error)) {
        this.#silences.delete(root);
        return notRead('unreadable', 'its server gave no usable answer', error.message);
      }
      if (isKnown) this.#silences.set(root, (this.#silences.get(root) ?? 0) + 1);
      const hasFailed = error.failure === 'unavailable';
      const reason = hasFailed
        ? 'the storage server could not give it'
        : 'the storage server gave no answer';
      return notRead('silence', reason, error.message);
    }
  }
}

/** Rejects without an answer: then the storage server has gone, which ends the analysis. */
export async function askForAnalyserDocument(
  client: Pick<SolidClient, 'request'>,
  url: string,
  deadline: Deadline,
): Promise<boolean> {
  try {
    return isSuccess(await client.request(url, { signal: deadline.signal }));
  } catch (error) {
    if (deadline.isOverOrThrow()) return false;
    throw error;
  }
}

/** A refused login and a bug concern more than one address. */
function isAboutAddress(error: unknown): error is AnalyserError {
  if (error instanceof ServerError) return error.failure !== 'login';
  return error instanceof AnalyserError && error.kind === 'malformed';
}
