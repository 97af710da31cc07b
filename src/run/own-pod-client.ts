import { isUnanswered, ServerError } from '../base/errors.js';
import { onAbort } from '../base/on-abort.js';
import type { SolidClient, SolidRequest } from '../solid/solid-client.js';
import { limited } from './limited.js';
import { limits } from './limits.js';
import { Deadline } from './read/deadline.js';

export interface WritingLimits {
  /** How long all requests together may take; null without a limit. */
  limitMs: number | null;
  writingEnds: AbortSignal;
}

/**
 * A client for the Analyser's own Pod past the last checkpoint. Its requests have the limit together, until `end`. One
 * without an answer ends all others: otherwise each would wait as long.
 */
export function ownPodClient(
  client: SolidClient,
  url: string,
  { limitMs, writingEnds }: WritingLimits,
) {
  const because = (reason: string) => new ServerError('slow', `${url} ${reason}.`, { url });
  const seconds = (limitMs ?? 0) / 1000;
  const deadline = new Deadline(Number.POSITIVE_INFINITY, new AbortController().signal, () =>
    because(`took more than ${seconds} seconds to be written to`),
  );
  if (limitMs !== null) deadline.endWithin(limitMs);
  const forget = onAbort(writingEnds, () => {
    deadline.end(because('could not be written to before the service stopped'));
  });
  const inTime = limited(client, deadline, { longestPauseMs: limits.longestPauseMs });
  return {
    ...inTime,
    async request(address: string, options?: SolidRequest) {
      try {
        return await inTime.request(address, options);
      } catch (error) {
        // The others are not told which address it was: that would tell callers whose document it is.
        if (isUnanswered(error)) deadline.end(because('gave no answer'));
        throw error;
      }
    },
    end() {
      deadline.clear();
      forget();
    },
  };
}
