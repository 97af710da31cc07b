import type { Logger } from '../base/logger.js';
import type { RequestEvent } from '../solid/http-solid-client.js';
import type { AnalysisReport } from './analysis-report.js';

/** The steps that take noticeable time. Averaging takes none. */
export const stepNames = ['unlock', 'discover', 'read', 'draw', 'publish'] as const;
export type StepName = (typeof stepNames)[number];

export type CallOutcome = AnalysisReport['status'];

/** Metrics leave the machine, so nothing here can carry a WebID, a Pod or an address. */
export type ObservedEvent =
  | { kind: 'call waits' }
  /** The turn of a call that waited. */
  | { kind: 'call begins'; waitedMs: number }
  /** Null for a call that had no turn. */
  | { kind: 'call ends'; outcome: CallOutcome; durationMs: number | null }
  | { kind: 'step'; name: StepName; milliseconds: number }
  | ({ kind: 'request' } & RequestEvent)
  | { kind: 'readiness'; ready: boolean };

export type Observer = (event: ObservedEvent) => void;

export const unobserved: Observer = () => undefined;

export async function timeStep<T>(
  observe: Observer,
  name: StepName,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    observe({ kind: 'step', name, milliseconds: performance.now() - began });
  }
}

export function observeWithLog(observe: Observer, log: Logger): Observer {
  return (event) => {
    observe(event);
    if (event.kind !== 'step') return;
    log.info({ step: event.name, duration_ms: Math.round(event.milliseconds) }, 'A step ends.');
  };
}
