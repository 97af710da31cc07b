import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import { type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { isSuccess } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Deadline } from './deadline.js';

/** After this number of silences in succession a Pod is given up. */
const MOST_SILENCES = 10;

interface Question {
  /** The root of the Pod that is asked. */
  root: string;
  /** Whether the share was read in an earlier analysis: only then does silence count against the Pod. */
  isKnown: boolean;
  deadline: Deadline;
}

/**
 * Asks Pods. If a Pod is silent, only this Pod is given up, not its server: the owner of a Pod can make files for which
 * the server gives no answer.
 */
export class PodAsker {
  /** For each Pod, by root, the silences in succession about shares that were read before. */
  readonly #silences = new Map<string, number>();

  /**
   * Calls `ask` unless the Pod was given up or the time is over. The argument of `ask` says how often to try; undefined
   * leaves the number to the client.
   */
  async ask<T extends object>(
    { root, isKnown, deadline }: Question,
    ask: (tries: number | undefined) => Promise<T>,
  ): Promise<T | NotRead> {
    // A Cancel throws, here and below: it is not the outcome of a file.
    if (deadline.isOverOrThrow()) return notAsked;
    const silences = this.#silences.get(root) ?? 0;
    if (silences >= MOST_SILENCES) {
      // New addresses were not asked for. If they counted as silent, the others of their Pod would come in without them.
      return notRead(isKnown ? 'silence' : 'not asked', 'its server gives no answers');
    }
    try {
      const answer = await ask(silences > 0 ? 1 : undefined);
      this.#silences.delete(root);
      return answer;
    } catch (error) {
      if (deadline.isOverOrThrow()) return notAsked;
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

/**
 * Asks for a private document of the Analyser's own Pod. Returns whether it was given. Rejects without an answer: then the
 * storage server has gone, which ends the analysis.
 */
export async function isAnalyserDocumentGiven(
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
