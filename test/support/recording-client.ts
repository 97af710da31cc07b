import type { SolidClient } from '../../src/solid/solid-client.js';

export interface RecordedRequest {
  method: string;
  url: string;
  body: string;
}

/** Passes everything on and writes down what was asked. */
export function recordRequests(client: SolidClient): SolidClient & { requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    request: (url, options = {}) => {
      const body = options.body === undefined ? '' : Buffer.from(options.body).toString('utf8');
      requests.push({ method: options.method ?? 'GET', url, body });
      return client.request(url, options);
    },
    close: () => client.close(),
  };
}
