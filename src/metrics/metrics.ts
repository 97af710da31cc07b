import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { serverFailures } from '../base/errors.js';
import { openPort } from '../ports/port-error.js';
import { type CallOutcome, type ObservedEvent, type Observer, stepNames } from '../run/observer.js';

const outcomes: readonly CallOutcome[] = ['COMPLETED', 'CANCELLED', 'NO_DATA', 'FAILED'];
const secondsOfAnalyses = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const secondsOfRequests = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** A reader of /metrics has no other explanation, so each metric lists the values that its label takes. */
const oneOf = (values: readonly string[]): string =>
  `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/** No text that names a person, a Pod or an address may become the value of a label. */
export function createMetrics(): { registry: Registry; observe: Observer } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = defineMetrics(registry);
  // Zero from the start, so that even the first failure shows as an increase.
  for (const outcome of outcomes) metrics.analyses.inc({ outcome }, 0);
  for (const step of stepNames) metrics.steps.zero({ step });
  return {
    registry,
    observe: (event) => countEvent(metrics, event),
  };
}

function defineMetrics(registry: Registry) {
  const registers = [registry];
  const named = (name: string, help: string) => ({ registers, name: `bp_analyser_${name}`, help });
  return {
    analyses: new Counter({
      ...named(
        'analyses_total',
        `Calls for an analysis that were answered, by outcome: ${oneOf(outcomes)}.`,
      ),
      labelNames: ['outcome'],
    }),
    duration: new Histogram({
      ...named(
        'analysis_duration_seconds',
        `How long a call took, from its turn to its answer, by outcome: ${oneOf(outcomes)}.`,
      ),
      labelNames: ['outcome'],
      buckets: secondsOfAnalyses,
    }),
    wait: new Histogram({
      ...named('analysis_wait_seconds', 'How long a call waited for its turn.'),
      buckets: secondsOfAnalyses,
    }),
    waiting: new Gauge(
      named(
        'analyses_waiting',
        'Calls that wait for their turn now; several can share one analysis.',
      ),
    ),
    running: new Gauge(
      named('analyses_running', 'Calls whose analysis runs now; several can share one.'),
    ),
    steps: new Histogram({
      ...named(
        'step_duration_seconds',
        `How long a step took, finished or not, by step: ${oneOf(stepNames)}.`,
      ),
      labelNames: ['step'],
      buckets: secondsOfAnalyses,
    }),
    requests: new Histogram({
      ...named(
        'storage_request_duration_seconds',
        `Requests to the storage server, each try, by method and result: the HTTP status, or ${oneOf([...serverFailures, 'aborted'])}.`,
      ),
      labelNames: ['method', 'result'],
      buckets: secondsOfRequests,
    }),
    ready: new Gauge(named('ready', 'Whether an analysis could work now: 1 or 0.')),
  };
}

type MetricSet = ReturnType<typeof defineMetrics>;

function countEvent(metrics: MetricSet, event: ObservedEvent): void {
  switch (event.kind) {
    case 'call waits':
      metrics.waiting.inc();
      break;
    case 'call begins':
      metrics.waiting.dec();
      metrics.running.inc();
      metrics.wait.observe(event.waitedMs / 1000);
      break;
    case 'call ends': {
      const { outcome, durationMs } = event;
      metrics.analyses.inc({ outcome });
      (durationMs === null ? metrics.waiting : metrics.running).dec();
      if (durationMs !== null) metrics.duration.observe({ outcome }, durationMs / 1000);
      break;
    }
    case 'step':
      metrics.steps.observe({ step: event.name }, event.milliseconds / 1000);
      break;
    case 'request': {
      const { method, outcome, milliseconds } = event;
      // The status of the answer, or why there was none.
      const result = 'status' in outcome ? String(outcome.status) : outcome.failure;
      metrics.requests.observe({ method, result }, milliseconds / 1000);
      break;
    }
    case 'readiness':
      metrics.ready.set(event.ready ? 1 : 0);
  }
}

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
  return {
    port: await openPort(server, 'metrics', { host, port }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
