import { isUnanswered, ServerError } from '../base/errors.js';
import type { SolidClient } from '../solid/solid-client.js';

export interface WritingLimits {
  /** How long all requests together may take; null without a limit. */
  limitMs: number | null;
  /** Aborts when the service stops and waits no longer. */
  stop: AbortSignal;
}

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
  { limitMs, stop }: WritingLimits,
): OwnPodClient {
  const ending = new AbortController();
  const endBecause = (reason: string) =>
    ending.abort(new ServerError('slow', `${url} ${reason}.`, { url }));
  const tooSlow = () =>
    endBecause(`took more than ${(limitMs ?? 0) / 1000} seconds to be written to`);
  const timer = limitMs === null ? undefined : setTimeout(tooSlow, limitMs);
  const stopped = () => endBecause('could not be written to before the service stopped');
  if (stop.aborted) stopped();
  else stop.addEventListener('abort', stopped, { once: true });
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
        if (isUnanswered(error)) ending.abort(forOthers(error, url));
        throw error;
      }
    },
    close: () => client.close(),
    end() {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    },
  };
}

/** The address of a document would tell callers whose it is. */
function forOthers({ failure, message, details }: ServerError, url: string): ServerError {
  return new ServerError(failure, message.replaceAll(details.url, url), { ...details, url });
}
