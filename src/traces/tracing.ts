import type { Logger } from '../base/logger.js';
import { type Observer, unobserved } from '../run/observer.js';
import { isTracingWanted } from './is-wanted.js';

export interface Tracing {
  observer: Observer;
  /** Sends what is left. */
  stop: () => Promise<void>;
}

export async function startTracing(
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<Tracing> {
  if (isTracingWanted(env)) {
    const { startTraces } = await import('./start-traces.js');
    const traces = await startTraces(log);
    if (traces !== null) return traces;
  }
  return { observer: unobserved, stop: () => Promise.resolve() };
}
