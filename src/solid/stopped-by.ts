import type { SolidClient } from './solid-client.js';

/** The same client, except that every request also ends with the signal. */
export function stoppedBy<Client extends SolidClient>(
  client: Client,
  signal: AbortSignal | undefined,
): Client {
  return {
    ...client,
    request: (url, options) =>
      client.request(url, { ...options, signal: options?.signal ?? signal }),
  };
}
