import { ConcurrencyLimit } from '../../base/concurrency.js';
import { ServerError } from '../../base/errors.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { LONGEST_PAUSE_MS } from '../own-pod-client.js';

const AT_ONCE = 16;
/** A hand-over that has not ended after this time leaves its place to the next, and goes on. */
const PLACE_MS = 1_000;
/** How long all requests to the Pod of one reader may take together, whatever that Pod asks for. */
const READER_MS = 10_000;

/** Sees to it that no reader's Pod, however slow it is, takes time from other readers or from the Analyser's own Pod. */
export class HandOvers {
  readonly #places = new ConcurrencyLimit(AT_ONCE);

  /**
   * Does work on the reader's Pod through a client whose requests end when the reader's time is over. The time begins
   * with the place, so that readers who wait for theirs lose nothing.
   */
  run<T>(
    client: SolidClient,
    webId: string,
    work: (client: SolidClient) => Promise<T>,
  ): Promise<T> {
    return this.#places.run(async (leave) => {
      const stop = new AbortController();
      const message = `The Pod of ${webId} took more than ${READER_MS / 1000} seconds to take a result.`;
      const tooSlow = new ServerError('slow', message, { url: webId });
      const timers = [
        setTimeout(leave, PLACE_MS),
        setTimeout(() => stop.abort(tooSlow), READER_MS),
      ];
      const limited = stoppedBy(client, stop.signal);
      const how = { isApart: true, longestPauseMs: LONGEST_PAUSE_MS };
      try {
        return await work({
          ...limited,
          request: (url, options) => limited.request(url, { ...options, ...how }),
        });
      } finally {
        for (const timer of timers) clearTimeout(timer);
      }
    });
  }
}
