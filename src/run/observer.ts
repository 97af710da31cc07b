import type { AnalysisReport } from '../queue/analysis-report.js';
import type { RequestEvent } from '../solid/observe-requests.js';

/** The steps that take time; averaging takes none. */
export const stepNames = ['unlock', 'discover', 'read', 'draw', 'publish'] as const;
export type StepName = (typeof stepNames)[number];

export type Outcome = AnalysisReport['status'];

/** How far one call has come. */
export interface CallWatch {
  /** It has its turn. */
  began(): void;
  ended(outcome: Outcome): void;
  /** Of the call itself, for what is done for it elsewhere. */
  traceparent?: string | undefined;
}

/**
 * What can be seen of the service while it runs. Metrics and traces leave the machine, so
 * nothing here can carry a WebID, a Pod or an address.
 */
export interface Observer {
  /** From the arrival of a call to its answer; `traceparent` is the caller's, if it has one. */
  call<T>(traceparent: string | undefined, work: (watch: CallWatch) => Promise<T>): Promise<T>;
  /** One analysis, for the first of the calls that it serves. */
  within<T>(traceparent: string | undefined, work: () => Promise<T>): Promise<T>;
  step<T>(name: StepName, work: () => Promise<T>): Promise<T>;
  /** One that another thread has watched. */
  stepTook(name: StepName, milliseconds: number): void;
  /** Files of all Pods of one analysis. */
  files(read: number, skipped: number): void;
  /** Share entries that were known from an earlier run, and those that had to be opened. */
  entries(remembered: number, opened: number): void;
  request(event: RequestEvent): void;
  ready(isReady: boolean): void;
  /** The analysis thread has died and is started anew. */
  threadLost(): void;
  /** Parts of an analysis that wait for a worker or are being read by one. */
  partsInQueue(count: number): void;
}

export const unobserved: Observer = {
  call: (_traceparent, work) => work({ began: () => undefined, ended: () => undefined }),
  within: (_traceparent, work) => work(),
  step: (_name, work) => work(),
  stepTook: () => undefined,
  files: () => undefined,
  entries: () => undefined,
  request: () => undefined,
  ready: () => undefined,
  threadLost: () => undefined,
  partsInQueue: () => undefined,
};

/** Both see everything; the first one is around the second. */
export function observeWithBoth(first: Observer, second: Observer): Observer {
  return {
    call: (traceparent, work) =>
      first.call(traceparent, (one) =>
        second.call(traceparent, (other) =>
          work({
            traceparent: one.traceparent ?? other.traceparent,
            began() {
              one.began();
              other.began();
            },
            ended(outcome) {
              one.ended(outcome);
              other.ended(outcome);
            },
          }),
        ),
      ),
    within: (traceparent, work) =>
      first.within(traceparent, () => second.within(traceparent, work)),
    step: (name, work) => first.step(name, () => second.step(name, work)),
    stepTook(name, milliseconds) {
      first.stepTook(name, milliseconds);
      second.stepTook(name, milliseconds);
    },
    files(read, skipped) {
      first.files(read, skipped);
      second.files(read, skipped);
    },
    entries(remembered, opened) {
      first.entries(remembered, opened);
      second.entries(remembered, opened);
    },
    request(event) {
      first.request(event);
      second.request(event);
    },
    ready(isReady) {
      first.ready(isReady);
      second.ready(isReady);
    },
    threadLost() {
      first.threadLost();
      second.threadLost();
    },
    partsInQueue(count) {
      first.partsInQueue(count);
      second.partsInQueue(count);
    },
  };
}
