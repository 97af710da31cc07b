import { isUnanswered, ServerError } from '../base/errors.js';
import { present } from '../base/lists.js';
import { onAbort } from '../base/on-abort.js';
import type { SolidClient } from '../solid/solid-client.js';

export interface WritingLimits {
  /** How long all requests together may take; null without a limit. */
  limitMs: number | null;
  writingEnds: AbortSignal;
}

/** The figures are ready, and their callers wait, whatever the server asks for. */
export const LONGEST_PAUSE_MS = 3_000;

/** A client for the Analyser's own Pod past the last checkpoint. */
interface OwnPodClient extends SolidClient {
  /** Ends the limit. */
  end(): void;
}

/**
 * Nobody waits longer than the limit. A request to which the server gives no answer ends all others: otherwise each
 * would wait as long.
 */
export function ownPodClient(
  client: SolidClient,
  url: string,
  { limitMs, writingEnds }: WritingLimits,
): OwnPodClient {
  const ending = new AbortController();
  const endBecause = (reason: string) =>
    ending.abort(new ServerError('slow', `${url} ${reason}.`, { url }));
  const tooSlow = () =>
    endBecause(`took more than ${(limitMs ?? 0) / 1000} seconds to be written to`);
  const timer = limitMs === null ? undefined : setTimeout(tooSlow, limitMs);
  const forget = onAbort(writingEnds, () => {
    endBecause('could not be written to before the service stopped');
  });
  return {
    ...client,
    async request(address, options = {}) {
      ending.signal.throwIfAborted();
      const signals = present([ending.signal, options.signal]);
      const signal = AbortSignal.any(signals);
      try {
        const patiently = { longestPauseMs: LONGEST_PAUSE_MS, ...options, signal };
        return await client.request(address, patiently);
      } catch (error) {
        // The others are not told which address it was: that would tell callers whose document it is.
        if (isUnanswered(error)) endBecause('gave no answer');
        throw error;
      }
    },
    end() {
      clearTimeout(timer);
      forget();
    },
  };
}
