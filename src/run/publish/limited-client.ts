import type { ServerError } from '../../base/errors.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';

/**
 * A client whose requests have a time for all of them together, and fail with `tooSlow` when it is used
 * up. The time runs only while something is asked: whoever waits for something else loses none.
 */
export function limitedClient(
  client: SolidClient,
  limitMs: number,
  tooSlow: ServerError,
): SolidClient {
  const stop = new AbortController();
  const stoppable = stoppedBy(client, stop.signal);
  let left = limitMs;
  let inFlight = 0;
  let since = 0;
  let clock: NodeJS.Timeout | undefined;
  return {
    async request(url, options) {
      inFlight += 1;
      if (inFlight === 1) {
        since = performance.now();
        clock = setTimeout(() => stop.abort(tooSlow), left);
      }
      try {
        return await stoppable.request(url, options);
      } finally {
        inFlight -= 1;
        if (inFlight === 0) {
          clearTimeout(clock);
          left -= performance.now() - since;
        }
      }
    },
    close: () => client.close(),
  };
}
