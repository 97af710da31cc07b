import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { portError } from '../base/port-error.js';

const limits = { requestTimeout: 5000, headersTimeout: 5000, keepAliveTimeout: 5000 };
const mostConnections = 50;

/** `GET /metrics` on a port of its own, so that access to it can be given separately. */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer(limits, (request, response) => {
    // Discards a body, which no route here uses.
    request.resume();
    const [path] = (request.url ?? '').split('?', 1);
    if (request.method !== 'GET' || path !== '/metrics') {
      response.writeHead(request.method === 'GET' ? 404 : 405, { allow: 'GET' }).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = mostConnections;
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    throw portError('metrics', { host, port }, cause);
  }
  // An error such as too many open files must not end the service.
  server.on('error', () => undefined);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
