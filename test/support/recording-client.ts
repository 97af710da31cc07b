import type { SolidClient, SolidRequest } from '../../src/solid/solid-client.js';

export interface RecordedRequest {
  method: string;
  url: string;
  body: string;
  headers: SolidRequest['headers'];
}

/** Passes everything on and writes down what was asked. */
export function recordRequests(client: SolidClient): SolidClient & { requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    request: (url, options = {}) => {
      const body = options.body === undefined ? '' : Buffer.from(options.body).toString('utf8');
      const { method = 'GET', headers } = options;
      requests.push({ method, url, body, headers });
      return client.request(url, options);
    },
    close: () => client.close(),
  };
}
