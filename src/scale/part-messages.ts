import { z } from 'zod';
import type { WireError } from '../base/wire-error.js';
import type { AskingRules, PodSlice, ReadTask, SliceReading } from '../run/read/read-task.js';

/** Some files of some Pods of one server, and when the time for them ends. */
export interface SlicesToRead
  extends Pick<ReadTask, 'callers' | 'rules'>,
    Pick<AskingRules, 'until' | 'retriesUntil'> {
  kind: 'read';
  slices: readonly PodSlice[];
}

export type Task = SlicesToRead | { kind: 'open'; values: string[] };

/** Not checked further: it was sealed by a process of the same version. */
const isObject = (value: unknown) => typeof value === 'object';
/** `analysis` tells the parts of one analysis from those of another. */
export type Part = { analysis: string; task: Task };
export const partSchema = z.custom<Part>(isObject);
export const sliceReadings = z.custom<SliceReading[]>(Array.isArray);
export const openedValues = z.custom<Array<Buffer | null>>(Array.isArray);
const failure = z.custom<WireError>(isObject).nullable();
export const outcomeSchema = z.object({ value: z.unknown(), error: failure });

/** In the name, so that versions do not read each other's parts. */
export const partsName = (version: string) => `parts-${version}`;

/** Small, so that a bound on all workers together is shared out evenly. */
const REQUESTS_PER_PART = 4;

/** The bounds on requests as bounds on parts: for all workers (0: none) and for each. */
export function partBounds(scale: { max_requests: number; requests_per_worker: number }) {
  const { max_requests: all, requests_per_worker: perWorker } = scale;
  const requests = Math.min(REQUESTS_PER_PART, perWorker, all === 0 ? perWorker : all);
  const partsOf = (bound: number) => Math.floor(bound / requests);
  return { requests, together: partsOf(all), atOnce: partsOf(perWorker) };
}
