import type { Logger } from '../../base/logger.js';
import type { Config } from '../../config/schema.js';
import { unobserved } from '../../run/observer.js';

export async function startWatching({ metrics: { host, port } }: Config, log: Logger) {
  if (port === null) return { observe: unobserved, stop: () => Promise.resolve() };
  const { createMetrics, serveMetrics } = await import('../../metrics/metrics.js');
  const { registry, observe } = createMetrics();
  const server = await serveMetrics(registry, { host, port });
  log.info(`serving metrics on http://${host}:${server.port}/metrics`);
  return { observe, stop: () => server.stop() };
}
