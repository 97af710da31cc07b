import { z } from 'zod';
import { wireError } from '../base/wire-error.js';
import { analysisReport } from '../queue/analysis-report.js';
import { observedEvent } from '../run/observer.js';

/** All that the two threads say to each other; checked on arrival. */

const namedCall = z.object({
  id: z.string(),
  webId: z.string().nullable(),
  traceparent: z.string().optional(),
  runId: z.string(),
});

/** From the main thread. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('analyse'), turn: z.string(), calls: z.array(namedCall) }),
  z.object({ kind: z.literal('stop'), turn: z.string(), error: wireError }),
  /** The answer to `commit`: the calls that go on, or why none does. */
  z.object({ kind: z.literal('committed'), turn: z.string(), goingOn: z.array(z.string()) }),
  z.object({ kind: z.literal('refused'), turn: z.string(), error: wireError }),
  /** What failed in the main thread: the files below var/. */
  z.object({ kind: z.literal('failed'), error: wireError }),
  /** Somebody wants to know whether the service is ready. */
  z.object({ kind: z.literal('asked') }),
  z.object({ kind: z.literal('close') }),
]);
export type Order = z.infer<typeof orderSchema>;

/** From the analysis thread. */
export const newsSchema = z.discriminatedUnion('kind', [
  /** The first login was tried, whatever came of it. */
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('readiness'), ready: z.boolean(), reason: z.string() }),
  z.object({ kind: z.literal('commit'), turn: z.string() }),
  z.object({ kind: z.literal('files'), turn: z.string(), read: z.number(), all: z.number() }),
  z.object({
    kind: z.literal('answer'),
    turn: z.string(),
    call: z.string(),
    report: analysisReport,
  }),
  z.object({ kind: z.literal('ended'), turn: z.string(), error: wireError.nullable() }),
  z.object({ kind: z.literal('log'), line: z.string() }),
  z.object({ kind: z.literal('observed'), events: z.array(observedEvent) }),
]);
export type News = z.infer<typeof newsSchema>;
