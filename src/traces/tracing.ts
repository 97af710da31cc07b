import type { Logger } from '../base/logger.js';
import { unobserved } from '../run/observer.js';
import type { Traces } from './start-traces.js';

type Environment = Readonly<Record<string, string | undefined>>;

export async function startTracing(env: Environment, log: Logger): Promise<Traces> {
  if (isTracingWanted(env)) {
    const { startTraces } = await import('./start-traces.js');
    const traces = await startTraces(log);
    if (traces !== null) return traces;
  }
  return { observer: unobserved, stop: () => Promise.resolve() };
}

/** Whether the standard variables of OpenTelemetry ask for traces; otherwise none of it is loaded. */
export function isTracingWanted(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim() ?? '';
  if (exporter !== '') return exporter === 'otlp';
  const places = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  return places.some((name) => (env[name]?.trim() ?? '') !== '');
}
