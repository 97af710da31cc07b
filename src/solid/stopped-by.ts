import type { SolidClient } from './solid-client.js';

/** The same client, except that a request without a signal of its own ends with this signal. */
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
