import { present } from '../base/lists.js';
import type { SolidClient, SolidRequest } from '../solid/solid-client.js';
import type { Deadline } from './read/deadline.js';

/** The client, for work that has until the deadline: its requests end with that, or sooner by their own signal. */
export function limited(
  client: SolidClient,
  { signal }: Deadline,
  how: Pick<SolidRequest, 'longestPauseMs' | 'isApart'>,
): SolidClient {
  return {
    ...client,
    async request(url, options = {}) {
      signal.throwIfAborted();
      const both = AbortSignal.any(present([signal, options.signal]));
      return await client.request(url, { ...how, ...options, signal: both });
    },
  };
}
