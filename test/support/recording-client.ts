import { ServerError, type ServerFailure } from '../../src/base/errors.js';
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

/** A client to whom a Pod refuses some requests, as if it were full. */
export function refuse(
  client: SolidClient,
  isRefused: (url: string, options?: SolidRequest) => boolean,
  failure: ServerFailure = 'refused',
): SolidClient {
  return {
    ...client,
    request(url, options) {
      if (!isRefused(url, options)) return client.request(url, options);
      const message = `${url} answered HTTP 507.`;
      return Promise.reject(new ServerError(failure, message, { url, status: 507 }));
    },
  };
}
