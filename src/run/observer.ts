import type { AnalysisReport } from '../queue/analysis-report.js';
import type { RequestEvent } from '../solid/observe-requests.js';

/** The steps that take time; averaging takes none. */
export type StepName = 'unlock' | 'discover' | 'read' | 'draw' | 'publish';

export type Outcome = AnalysisReport['status'];

/** How far one analysis has come. */
export interface AnalysisWatch {
  /** It has its turn. */
  began(): void;
  ended(outcome: Outcome): void;
}

/**
 * What can be seen of the service while it runs. Metrics and traces leave the machine, so
 * nothing here can carry a WebID, a Pod or an address.
 */
export interface Observer {
  /** From the arrival of a call to its answer; `traceparent` is the caller's, if it has one. */
  analysis<T>(
    traceparent: string | undefined,
    work: (watch: AnalysisWatch) => Promise<T>,
  ): Promise<T>;
  step<T>(name: StepName, work: () => Promise<T>): Promise<T>;
  /** Files of all Pods of one analysis. */
  files(read: number, skipped: number): void;
  /** Share entries that were known from an earlier run, and those that had to be opened. */
  entries(remembered: number, opened: number): void;
  request(event: RequestEvent): void;
  ready(isReady: boolean): void;
}

export const unobserved: Observer = {
  analysis: (_traceparent, work) => work({ began: () => undefined, ended: () => undefined }),
  step: (_name, work) => work(),
  files: () => undefined,
  entries: () => undefined,
  request: () => undefined,
  ready: () => undefined,
};

/** Both see everything; the first one is around the second. */
export function observeWithBoth(first: Observer, second: Observer): Observer {
  return {
    analysis: (traceparent, work) =>
      first.analysis(traceparent, (one) =>
        second.analysis(traceparent, (other) =>
          work({
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
    step: (name, work) => first.step(name, () => second.step(name, work)),
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
  };
}
