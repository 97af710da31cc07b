import { z } from 'zod';
import { serverFailures } from '../base/errors.js';
import type { AnalysisReport } from '../queue/analysis-report.js';

/** The steps that take noticeable time, which averaging does not. */
export const stepNames = ['unlock', 'discover', 'read', 'draw', 'publish'] as const;
export type StepName = (typeof stepNames)[number];

export type CallOutcome = AnalysisReport['status'];

/** What is counted, without addresses and names. */
export const observedEvent = z.discriminatedUnion('kind', [
  /** A step that another thread has timed. */
  z.object({ kind: z.literal('step'), name: z.enum(stepNames), milliseconds: z.number() }),
  /** Files of all Pods of one analysis. */
  z.object({ kind: z.literal('files'), read: z.number(), skipped: z.number() }),
  /** Sealed values that were known from an earlier analysis, and those that had to be opened. */
  z.object({ kind: z.literal('entries'), remembered: z.number(), opened: z.number() }),
  z.object({
    kind: z.literal('request'),
    method: z.enum(['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE']),
    outcome: z.union([
      z.object({ status: z.number() }),
      z.object({ failure: z.enum([...serverFailures, 'aborted']) }),
    ]),
    milliseconds: z.number(),
  }),
  /** Whether an analysis could work now. */
  z.object({ kind: z.literal('readiness'), ready: z.boolean() }),
  /** When the certificate of the port expires, in seconds since 1970. */
  z.object({ kind: z.literal('certificate'), expires: z.number() }),
  /** The analysis thread has died and is started again. */
  z.object({ kind: z.literal('lost thread') }),
  /** Parts of an analysis that wait for a worker or are being read by one. */
  z.object({ kind: z.literal('parts in queue'), count: z.number() }),
]);
export type ObservedEvent = z.infer<typeof observedEvent>;

/** Is told how far one call has come. */
export interface CallWatch {
  began(): void;
  ended(outcome: CallOutcome): void;
  /** The trace of the call, for work that is done for it elsewhere. */
  traceparent?: string | undefined;
}

/**
 * Is told what the service does while it runs. Metrics and traces leave the machine, so nothing
 * here can carry a WebID, a Pod or an address.
 */
export interface Observer {
  /** Around one call, from arrival to answer; `traceparent` is the caller's, if it sent one. */
  call<T>(traceparent: string | undefined, work: (watch: CallWatch) => Promise<T>): Promise<T>;
  /** Around one analysis, below the trace of the first call that it serves. */
  within<T>(traceparent: string | undefined, work: () => Promise<T>): Promise<T>;
  step<T>(name: StepName, work: () => Promise<T>): Promise<T>;
  note(event: ObservedEvent): void;
}

export const unobserved: Observer = {
  call: (_traceparent, work) => work({ began: () => undefined, ended: () => undefined }),
  within: (_traceparent, work) => work(),
  step: (_name, work) => work(),
  note: () => undefined,
};

/** Both observers see everything; the first one wraps the second. */
export function observeWithBoth(first: Observer, second: Observer): Observer {
  return {
    call: (traceparent, work) =>
      first.call(traceparent, (firstCall) =>
        second.call(traceparent, (secondCall) =>
          work({
            traceparent: firstCall.traceparent ?? secondCall.traceparent,
            began() {
              firstCall.began();
              secondCall.began();
            },
            ended(outcome) {
              firstCall.ended(outcome);
              secondCall.ended(outcome);
            },
          }),
        ),
      ),
    within: (traceparent, work) =>
      first.within(traceparent, () => second.within(traceparent, work)),
    step: (name, work) => first.step(name, () => second.step(name, work)),
    note(event) {
      first.note(event);
      second.note(event);
    },
  };
}
