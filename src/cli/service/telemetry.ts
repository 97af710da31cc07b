import type { Logger } from '../../base/logger.js';
import type { Config } from '../../config/schema.js';
import { observeWithBoth } from '../../run/observer.js';
import { startTracing } from '../../traces/tracing.js';

/**
 * Starts metrics and traces, each loaded only when it is asked for. `metrics` is the observer that
 * counts.
 */
export async function startTelemetry(
  { metrics: { host, port }, output }: Pick<Config, 'metrics' | 'output'>,
  env: NodeJS.ProcessEnv,
  log: Logger,
) {
  const tracing = await startTracing(env, log);
  if (port === null) return { ...tracing, metrics: null };
  const { createMetrics, serveMetrics } = await import('../../metrics/metrics.js');
  const { state_dir, results_dir, charts_dir } = output;
  const metrics = createMetrics({ state_dir, results_dir, charts_dir });
  const server = await serveMetrics(metrics.registry, { host, port });
  log.info(`serving metrics on http://${host}:${server.port}/metrics`);
  return {
    observer: observeWithBoth(metrics.observer, tracing.observer),
    metrics: metrics.observer,
    async stop() {
      await Promise.all([server.stop(), tracing.stop()]);
    },
  };
}
