import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type CallWatch, type Observer, type Outcome, stepNames } from '../run/observer.js';
import type { RequestEvent } from '../solid/observe-requests.js';

/**
 * Everything that is measured. Labels have few values, all of them ours: nothing that names a
 * person, a Pod or an address may become one.
 */
export interface Metrics {
  registry: Registry;
  observer: Observer;
}

const prefix = 'bp_analyser_';
const outcomes: readonly Outcome[] = ['COMPLETED', 'CANCELLED', 'NO_DATA', 'FAILED'];
const secondsOfAnalyses = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const secondsOfRequests = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const common = { registers: [registry] };
  const analyses = new Counter({
    ...common,
    name: `${prefix}analyses_total`,
    help: 'Calls for an analysis that were answered, by outcome.',
    labelNames: ['outcome'],
  });
  const duration = new Histogram({
    ...common,
    name: `${prefix}analysis_duration_seconds`,
    help: 'How long a call took, from its turn to its answer, by outcome.',
    labelNames: ['outcome'],
    buckets: secondsOfAnalyses,
  });
  const wait = new Histogram({
    ...common,
    name: `${prefix}analysis_wait_seconds`,
    help: 'How long a call waited for its turn.',
    buckets: secondsOfAnalyses,
  });
  const waiting = new Gauge({
    ...common,
    name: `${prefix}analyses_waiting`,
    help: 'Calls that wait for their turn now.',
  });
  const running = new Gauge({
    ...common,
    name: `${prefix}analyses_running`,
    help: 'Calls whose analysis runs now.',
  });
  const stepDuration = new Histogram({
    ...common,
    name: `${prefix}step_duration_seconds`,
    help: 'How long a step took, finished or not.',
    labelNames: ['step'],
    buckets: secondsOfAnalyses,
  });
  const files = new Counter({
    ...common,
    name: `${prefix}files_total`,
    help: 'Shared files that analyses had in view, by result.',
    labelNames: ['result'],
  });
  const entries = new Counter({
    ...common,
    name: `${prefix}share_entries_total`,
    help: 'Sealed values of the inbox: remembered from an earlier run, or opened anew.',
    labelNames: ['source'],
  });
  const requests = new Histogram({
    ...common,
    name: `${prefix}storage_request_duration_seconds`,
    help: 'Requests to the storage server, each try, by method and result.',
    labelNames: ['method', 'result'],
    buckets: secondsOfRequests,
  });
  const ready = new Gauge({
    ...common,
    name: `${prefix}ready`,
    help: 'Whether an analysis that is asked for now could work: 1 or 0.',
  });

  const threadsLost = new Counter({
    ...common,
    name: `${prefix}analysis_threads_lost_total`,
    help: 'Analysis threads that died and were started anew.',
  });

  const partsInQueue = new Gauge({
    ...common,
    name: `${prefix}parts_in_queue`,
    help: 'With Redis: parts of an analysis that wait for a worker or are being read by one.',
  });

  // Known from the start, so that the first failure already is an increase.
  for (const outcome of outcomes) analyses.inc({ outcome }, 0);
  for (const step of stepNames) stepDuration.zero({ step });
  for (const result of ['read', 'skipped']) files.inc({ result }, 0);
  for (const source of ['remembered', 'opened']) entries.inc({ source }, 0);

  function watch(): CallWatch & { left(): void } {
    waiting.inc();
    const endWait = wait.startTimer();
    let endRun: ((labels: { outcome: Outcome }) => number) | undefined;
    let outcome: Outcome = 'FAILED';
    return {
      began() {
        endWait();
        waiting.dec();
        running.inc();
        endRun = duration.startTimer();
      },
      ended(last) {
        outcome = last;
      },
      left() {
        analyses.inc({ outcome });
        (endRun === undefined ? waiting : running).dec();
        endRun?.({ outcome });
      },
    };
  }

  return {
    registry,
    observer: {
      async call(_traceparent, work) {
        const watched = watch();
        try {
          return await work(watched);
        } finally {
          watched.left();
        }
      },
      within: (_traceparent, work) => work(),
      async step(step, work) {
        const end = stepDuration.startTimer({ step });
        try {
          return await work();
        } finally {
          end();
        }
      },
      stepTook: (step, milliseconds) => stepDuration.observe({ step }, milliseconds / 1000),
      files(read, skipped) {
        files.inc({ result: 'read' }, read);
        files.inc({ result: 'skipped' }, skipped);
      },
      entries(remembered, opened) {
        entries.inc({ source: 'remembered' }, remembered);
        entries.inc({ source: 'opened' }, opened);
      },
      request: (event) =>
        requests.observe(
          { method: event.method, result: resultOf(event) },
          event.milliseconds / 1000,
        ),
      ready: (isReady) => ready.set(isReady ? 1 : 0),
      threadLost: () => threadsLost.inc(),
      partsInQueue: (count) => partsInQueue.set(count),
    },
  };
}

/** The status of an answer, or why there was none. */
function resultOf({ outcome }: RequestEvent): string {
  return 'status' in outcome ? String(outcome.status) : outcome.failure;
}
