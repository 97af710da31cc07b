import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import { type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { isTimeUp } from './patience.js';

/**
 * After this number of silences in succession a Pod is given up. After the same number in succession on the Analyser's
 * own server, this server is probed.
 */
const MOST_SILENCES = 10;

/**
 * The Analyser's own Pod, whose private document shows whether the storage server still answers.
 */
export interface OwnPod {
  client: Pick<SolidClient, 'request' | 'ownOrigins'>;
  pod: { root: string; documents: { encKeys: string } };
}

interface Question {
  /** The root of the Pod that is asked. */
  root: string;
  /** Whether the share was read in an earlier analysis: only then does silence count against the Pod. */
  isRemembered: boolean;
  signal: AbortSignal;
}

/**
 * Asks Pods. If a Pod is silent, only this Pod is given up, not its server: the owner of a Pod can make files for which
 * the server gives no answer. The storage server counts as gone only when the Analyser's own Pod is silent too.
 */
export class PodAsker {
  /** For each Pod, by root, the silences in succession about shares that were read before. */
  readonly #silences = new Map<string, number>();
  readonly #ownOrigin: string;
  /** Silences in succession about anything on the Analyser's own server. */
  #silencesOfOwnServer = 0;

  constructor(
    private readonly connection: OwnPod,
    private readonly stop: AbortSignal,
  ) {
    this.#ownOrigin = new URL(connection.pod.root).origin;
  }

  /** Whether the Pod lies on the same server as the Analyser's. */
  isOnOwnServer(root: string): boolean {
    const { origin } = new URL(root);
    return origin === this.#ownOrigin || this.connection.client.ownOrigins?.has(origin) === true;
  }

  /**
   * Calls `ask` unless the Pod was given up or the signal has aborted. The argument of `ask` says how often to try;
   * undefined leaves the number to the client.
   */
  async ask<T>(
    { root, isRemembered, signal }: Question,
    ask: (tries: number | undefined) => Promise<T>,
  ): Promise<{ answer: T } | NotRead> {
    if (isTimeUp(signal)) return notAsked;
    const silences = this.#silences.get(root) ?? 0;
    if (silences >= MOST_SILENCES) {
      // New addresses were not asked for. If they counted as silent, the others of their Pod would come in without them.
      return notRead(isRemembered ? 'silence' : 'not asked', 'its server gives no answers');
    }
    try {
      const answer = await ask(silences > 0 ? 1 : undefined);
      this.#answered(root);
      return { answer };
    } catch (error) {
      if (isTimeUp(signal)) return notAsked;
      if (!isAboutAddress(error)) throw error;
      if (!isUnanswered(error)) {
        this.#answered(root);
        return notRead('unreadable', 'its server gave no usable answer', error.message);
      }
      if (isRemembered) this.#silences.set(root, (this.#silences.get(root) ?? 0) + 1);
      if (this.isOnOwnServer(root)) await this.#silentOwnServer();
      const hasFailed = error.failure === 'unavailable';
      const reason = hasFailed
        ? 'the storage server could not give it'
        : 'the storage server gave no answer';
      return notRead('silence', reason, error.message);
    }
  }

  #answered(root: string): void {
    this.#silences.delete(root);
    if (this.isOnOwnServer(root)) this.#silencesOfOwnServer = 0;
  }

  /** Rejects when the storage server gives no answer about the Analyser's own Pod either, or refuses the login. */
  async #silentOwnServer(): Promise<void> {
    this.#silencesOfOwnServer += 1;
    if (this.#silencesOfOwnServer < MOST_SILENCES) return;
    this.#silencesOfOwnServer = 0;
    const { client, pod } = this.connection;
    try {
      await client.request(pod.documents.encKeys, { signal: this.stop });
    } catch (error) {
      if (isUnanswered(error) || !isAboutAddress(error)) throw error;
    }
  }
}

/** A refused login and a bug concern more than one address. */
function isAboutAddress(error: unknown): error is AnalyserError {
  if (error instanceof ServerError) return error.failure !== 'login';
  return error instanceof AnalyserError && error.kind === 'malformed';
}
