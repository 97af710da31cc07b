import { isUnanswered, ServerError } from '../base/errors.js';
import type { SolidClient } from '../solid/solid-client.js';

export interface WritingLimits {
  /** How long all requests together may take; null without a limit. */
  limitMs: number | null;
  /** Aborts when the service stops. */
  hurry?: AbortSignal | undefined;
}

/** How long writing may still take when the service stops; systemd and containers kill it after 45 seconds. */
const HURRY_MS = 25_000;

/** The figures are ready, and their callers wait, whatever the server asks for. */
export const LONGEST_PAUSE_MS = 3_000;

/** A client for the Analyser's own Pod past the last checkpoint. */
interface OwnPodClient extends SolidClient {
  /** Ends the limit. */
  end(): void;
}

/**
 * Nobody waits longer than the limit. A request to which the server gives no answer ends all others, for the same
 * reason: otherwise each would wait as long.
 */
export function ownPodClient(
  client: SolidClient,
  url: string,
  { limitMs, hurry }: WritingLimits,
): OwnPodClient {
  const ending = new AbortController();
  const endAfter = (milliseconds: number) => {
    const message = `${url} took more than ${milliseconds / 1000} seconds to be written to.`;
    const tooSlow = new ServerError('slow', message, { url });
    return setTimeout(() => ending.abort(tooSlow), milliseconds);
  };
  const timers = limitMs === null ? [] : [endAfter(limitMs)];
  const hasten = () => timers.push(endAfter(HURRY_MS));
  if (hurry?.aborted === true) hasten();
  else hurry?.addEventListener('abort', hasten, { once: true });
  return {
    ...client,
    async request(address, options = {}) {
      ending.signal.throwIfAborted();
      const signals = [ending.signal, options.signal].flatMap((signal) => signal ?? []);
      const signal = AbortSignal.any(signals);
      try {
        return await client.request(address, {
          ...{ longestPauseMs: LONGEST_PAUSE_MS },
          ...options,
          signal,
        });
      } catch (error) {
        if (isUnanswered(error)) ending.abort(error);
        throw error;
      }
    },
    close: () => client.close(),
    end() {
      for (const timer of timers) clearTimeout(timer);
      hurry?.removeEventListener('abort', hasten);
    },
  };
}
