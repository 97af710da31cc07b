import { z } from 'zod';
import { errorKinds, serverFailures } from '../base/errors.js';

/**
 * What goes to a worker and what comes back; sealed on the way, and read by no other version
 * than the one that wrote it.
 */

const bytes = z.codec(z.base64(), z.instanceof(Buffer), {
  decode: (text) => Buffer.from(text, 'base64'),
  encode: (value) => value.toString('base64'),
});
const keyed = z.object({ url: z.string(), keys: z.array(bytes).readonly() });
const time = z.number().nullable();
const limits = z.tuple([z.number(), z.number()]).readonly();

const podPiece = z.object({
  owner: z.object({
    root: z.string(),
    webId: z.string(),
    podId: z.string(),
    rootIs: z.enum(['certain', 'likely', 'doubtful']),
  }),
  files: z.array(
    keyed.extend({
      listedIn: z.string().nullable(),
      isAnnounced: z.boolean(),
      problem: z.enum(['writable folder', 'unlisted']).nullable(),
    }),
  ),
  folderKeys: z.array(keyed),
});
export type PodPiece = z.infer<typeof podPiece>;

const readTask = z.object({
  kind: z.literal('read'),
  recipients: z.array(z.string()).readonly().nullable(),
  rules: z.object({
    now: z.number(),
    windowDays: z.number().nullable(),
    plausible: z.object({ systolic: limits, diastolic: limits, heart_rate: limits }),
  }),
  pieces: z.array(podPiece),
});

const openTask = z.object({ kind: z.literal('open'), values: z.array(z.string()) });

const workSchema = z.object({
  /** Tells the tasks of one run from those of another. */
  run: z.string(),
  task: z.discriminatedUnion('kind', [readTask, openTask]),
});
export type Work = z.infer<typeof workSchema>;
export type Task = Work['task'];

const measure = z
  .object({
    count: z.number(),
    mean: z.number(),
    squares: z.number(),
    minimum: z.number(),
    maximum: z.number(),
  })
  .nullable();

const podPart = z.object({
  filesRead: z.number(),
  filesSkipped: z.number(),
  aggregate: z.object({
    counted: z.number(),
    first: time,
    last: time,
    measures: z.object({ systolic: measure, diastolic: measure, heart_rate: measure }),
    leftOut: z.object({
      incomplete: z.number(),
      implausible: z.number(),
      undated: z.number(),
      outsideWindow: z.number(),
    }),
  }),
  readings: z.array(
    z.object({
      time,
      systolic: z.number(),
      diastolic: z.number(),
      heart_rate: z.number().nullable(),
    }),
  ),
  readOnlyWanted: z.number(),
  unanswered: z.number(),
  traces: z.array(
    z.discriminatedUnion('outcome', [
      z.object({
        url: z.string(),
        outcome: z.literal('read'),
        key: bytes.nullable(),
        folder: z.string().nullable(),
      }),
      z.object({ url: z.string(), outcome: z.enum(['refused', 'unopened', 'unknown']) }),
    ]),
  ),
  warnings: z.array(z.string()),
  moreWarnings: z.number(),
});

const failure = z.object({
  kind: z.enum(errorKinds),
  message: z.string(),
  /** Of a ServerError. */
  server: z
    .object({ failure: z.enum(serverFailures), url: z.string(), status: z.number().nullable() })
    .nullable(),
});
export type Failure = z.infer<typeof failure>;

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), parts: z.array(podPart) }),
  z.object({ kind: z.literal('opened'), values: z.array(bytes.nullable()) }),
  z.object({ kind: z.literal('failed'), failure }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const readWork = (value: unknown): Work => workSchema.parse(value);
export const writeWork = (work: Work): unknown => z.encode(workSchema, work);
export const readOutcome = (value: unknown): Outcome => outcomeSchema.parse(value);
export const writeOutcome = (outcome: Outcome): unknown => z.encode(outcomeSchema, outcome);
