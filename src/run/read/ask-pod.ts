import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import type { Fate } from '../../memory/fate.js';
import type { SolidClient } from '../../solid/solid-client.js';

/** After this many silences in succession a Pod is asked nothing more in this analysis. */
const MOST_SILENCES = 10;

/** Aborts what is asked when the time for it has ended, which is no failure of the analysis. */
export class TimeUpError extends AnalyserError {
  constructor() {
    super('timeout', 'The time that an analysis has for this was over.');
  }
}

/** Does something that is aborted with a TimeUpError at a moment in milliseconds since 1970. */
export async function withinTime<T>(
  until: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (until === Number.POSITIVE_INFINITY) return await work(signal);
  const timeUp = new AbortController();
  const end = () => timeUp.abort(new TimeUpError());
  const remaining = until - Date.now();
  if (remaining <= 0) end();
  const timer = setTimeout(end, remaining);
  try {
    return await work(AbortSignal.any([signal, timeUp.signal]));
  } finally {
    clearTimeout(timer);
  }
}

export type Asked<T> = { answer: T } | NoAnswer;

export interface NoAnswer {
  fate: Fate;
  /** Completes a sentence that begins with the address. */
  reason: string;
  /** What exactly went wrong; may be empty. */
  cause: string;
}

/** Where the Analyser's own private document is. */
interface OwnPod {
  client: Pick<SolidClient, 'request'>;
  pod: { root: string; documents: { encKeys: string } };
}

interface PodBeingAsked {
  /** In succession. */
  silences: number;
  isGivenUp: boolean;
  /** While it is found out whether its server is gone. */
  verdict: Promise<void> | null;
}

/**
 * Asks Pods, and gives up each by itself when it does not answer: an owner can make files that get no
 * answer. Only when the Analyser's own Pod gives none either, the storage server is gone.
 */
export class PodAsker {
  readonly #pods = new Map<string, PodBeingAsked>();
  readonly #home: string;
  /** Whether the Analyser's own Pod answers; Pods that are silent at the same time share it. */
  #probe: Promise<void> | null = null;

  constructor(
    private readonly connection: OwnPod,
    private readonly stop: AbortSignal,
  ) {
    this.#home = new URL(connection.pod.root).origin;
  }

  /** `question` is not asked of a Pod that was given up, nor when the signal has aborted. */
  async ask<T>(root: string, signal: AbortSignal, question: () => Promise<T>): Promise<Asked<T>> {
    const pod = this.#podAt(root);
    if (pod.verdict !== null) await pod.verdict;
    if (isTimeUp(signal)) return notAsked;
    if (pod.isGivenUp) return silence('its server gives no answers');
    try {
      const answer = await question();
      pod.silences = 0;
      return { answer };
    } catch (error) {
      if (isTimeUp(signal)) return notAsked;
      if (!isAboutAddress(error)) throw error;
      if (!isUnanswered(error)) {
        pod.silences = 0;
        const fate: Fate = { kind: 'missing', because: 'answer' };
        return { fate, reason: 'its server gave no usable answer', cause: error.message };
      }
      pod.silences += 1;
      if (pod.silences >= MOST_SILENCES) await this.#giveUp(root, pod);
      return silence('the storage server gave no answer', error.message);
    }
  }

  #podAt(root: string): PodBeingAsked {
    let pod = this.#pods.get(root);
    if (pod === undefined) {
      pod = { silences: 0, isGivenUp: false, verdict: null };
      this.#pods.set(root, pod);
    }
    return pod;
  }

  #giveUp(root: string, pod: PodBeingAsked): Promise<void> {
    const decide = async () => {
      if (new URL(root).origin === this.#home) await this.#requireHome();
      pod.isGivenUp = true;
    };
    pod.verdict ??= decide();
    return pod.verdict;
  }

  /** Rejects when the storage server is gone. */
  #requireHome(): Promise<void> {
    const { client, pod } = this.connection;
    const probe = async () => {
      try {
        await client.request(pod.documents.encKeys, { signal: this.stop });
      } catch (error) {
        if (isUnanswered(error) || !isAboutAddress(error)) throw error;
      }
    };
    this.#probe ??= probe().finally(() => {
      this.#probe = null;
    });
    return this.#probe;
  }
}

/** A refused login and a bug concern more than one address. */
function isAboutAddress(error: unknown): error is AnalyserError {
  if (error instanceof ServerError) return error.failure !== 'login';
  return error instanceof AnalyserError && error.kind === 'malformed';
}

function silence(reason: string, cause = ''): NoAnswer {
  return { fate: { kind: 'missing', because: 'silence' }, reason, cause };
}

export const notAsked: NoAnswer = {
  fate: { kind: 'not asked' },
  reason: 'there was no time left to ask for it',
  cause: '',
};

/** Whether only the time for it has ended; throws when the analysis was stopped. */
export function isTimeUp(signal: AbortSignal): boolean {
  if (!(signal.reason instanceof TimeUpError)) signal.throwIfAborted();
  return signal.aborted;
}
