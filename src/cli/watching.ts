import type { Logger } from '../base/logger.js';
import type { Config } from '../config/schema.js';
import { type Observer, observeWithBoth, unobserved } from '../run/observer.js';
import { isTracingWanted } from '../traces/is-wanted.js';

export interface Watching {
  observer: Observer;
  stop(): Promise<void>;
}

/** Metrics and traces, each loaded only when it is asked for. */
export async function startWatching(
  { host, port }: Config['metrics'],
  env: NodeJS.ProcessEnv,
  log: Logger,
): Promise<Watching> {
  const tracing = await startTracing(env, log);
  if (port === null) return tracing;
  const { createMetrics } = await import('../metrics/metrics.js');
  const { serveMetrics } = await import('../metrics/serve-metrics.js');
  const metrics = createMetrics();
  const server = await serveMetrics(metrics.registry, { host, port });
  log.info(`serving metrics on http://${host}:${server.port}/metrics`);
  return {
    observer: observeWithBoth(metrics.observer, tracing.observer),
    async stop() {
      await Promise.all([server.stop(), tracing.stop()]);
    },
  };
}

export async function startTracing(env: NodeJS.ProcessEnv, log: Logger): Promise<Watching> {
  if (isTracingWanted(env)) {
    const { startTraces } = await import('../traces/start-traces.js');
    const traces = await startTraces(log);
    if (traces !== null) return traces;
  }
  return { observer: unobserved, stop: () => Promise.resolve() };
}
