import type { ServerFailure } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { AnalysisReport } from './analysis-report.js';

/** The steps that take noticeable time. Averaging takes none. */
export const stepNames = ['unlock', 'discover', 'read', 'draw', 'publish'] as const;
export type StepName = (typeof stepNames)[number];

export type CallOutcome = AnalysisReport['status'];

/** What is counted, without addresses and names. */
export type ObservedEvent =
  /** A step that another thread has timed. */
  | { kind: 'step'; name: StepName; milliseconds: number }
  | {
      kind: 'request';
      method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
      outcome: { status: number } | { failure: ServerFailure | 'aborted' };
      milliseconds: number;
    }
  /** Whether an analysis could work now. */
  | { kind: 'readiness'; ready: boolean };

/** Is told how far one call has come. */
export interface CallWatch {
  began(): void;
  ended(outcome: CallOutcome): void;
}

/**
 * Is told what the service does while it runs. Metrics leave the machine, so nothing here can carry a
 * WebID, a Pod or an address.
 */
export interface Observer {
  /** Around one call, from arrival to answer. */
  call<T>(work: (watch: CallWatch) => Promise<T>): Promise<T>;
  step<T>(name: StepName, work: () => Promise<T>): Promise<T>;
  note(event: ObservedEvent): void;
}

export const unobserved: Observer = {
  call: (work) => work({ began: () => undefined, ended: () => undefined }),
  step: (_name, work) => work(),
  note: () => undefined,
};

/** Also logs how long each step took. */
export function observeWithLog(observer: Observer, log: Logger): Observer {
  return {
    ...observer,
    async step(step, work) {
      const began = performance.now();
      try {
        return await observer.step(step, work);
      } finally {
        const duration_ms = Math.round(performance.now() - began);
        log.info({ step, duration_ms }, 'A step ends.');
      }
    },
  };
}
