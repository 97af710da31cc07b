import type { ConcurrencyLimit } from '../../base/concurrency.js';
import type { ServerError } from '../../base/errors.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { LONGEST_PAUSE_MS } from '../own-pod-client.js';

/** A request without an answer after this time gives up its place, and goes on waiting. */
const PLACE_MS = 1_000;

/**
 * A client whose requests share one time limit, and fail with `tooSlow` when it is used up. The time runs only while
 * the server is asked: waiting for a place, or for anything else, does not count. The requests take their places among
 * `places`, so that they hold up no others however long they hang.
 */
export function limitedClient(
  client: SolidClient,
  places: ConcurrencyLimit,
  limitMs: number,
  tooSlow: ServerError,
): SolidClient {
  const stop = new AbortController();
  const stoppable = stoppedBy(client, stop.signal);
  let left = limitMs;
  let inFlight = 0;
  let since = 0;
  let clock: NodeJS.Timeout | undefined;
  const begin = () => {
    inFlight += 1;
    if (inFlight > 1) return;
    since = performance.now();
    clock = setTimeout(() => stop.abort(tooSlow), left);
  };
  const end = () => {
    inFlight -= 1;
    if (inFlight > 0) return;
    clearTimeout(clock);
    left -= performance.now() - since;
  };
  return {
    ...stoppable,
    request: (url, options) =>
      places.run(async (leave) => {
        const patience = setTimeout(leave, PLACE_MS);
        const onTry = () => {
          begin();
          return end;
        };
        try {
          const how = { ownPlace: true, longestPauseMs: LONGEST_PAUSE_MS, onTry };
          return await stoppable.request(url, { ...options, ...how });
        } finally {
          clearTimeout(patience);
        }
      }, stop.signal),
    close: () => client.close(),
  };
}
