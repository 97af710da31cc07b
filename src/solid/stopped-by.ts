import type { SolidClient } from './solid-client.js';

/** The same connection; every request that is made over it ends with the signal as well. */
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
