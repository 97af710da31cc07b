import { z } from 'zod';
import type { WireError } from '../base/wire-error.js';
import type { FileToRead, ReadTask } from '../run/read/read-task.js';
import type { Answer, FileOutcome } from '../run/table/row.js';

/** Some files of one server, to be read. */
export interface Task extends Pick<ReadTask, 'served' | 'rules'> {
  /** How much time is left for the files. A point in time would compare the clocks of two machines. */
  forMs: number;
  files: readonly FileToRead[];
}

/** Not checked further, because a process of the same build has sealed the value. */
const isObject = (value: unknown) => typeof value === 'object';
/** All parts of one piece of work (`PartsQueue.use`) have the same `workId`, and no other parts have it. */
export type Part = { workId: string; task: Task };
export const partSchema = z.custom<Part>(isObject);
export const fileReadings = z.custom<Answer<FileOutcome>[]>(Array.isArray);
const failure = z.custom<WireError>(isObject).nullable();
export const outcomeSchema = z.object({ value: fileReadings.nullable(), error: failure });

/** This name of the queue contains the digest of the build, so that only workers of this build read the parts. */
export const partsName = (build: string) => `parts-${build}`;

/** Small, so that the workers share a common bound evenly. */
const REQUESTS_PER_PART = 4;

/** Turns bounds on requests into bounds on parts: `together` for all workers (0: no bound), `atOnce` for each. */
export function partBounds(scale: { max_requests: number; requests_per_worker: number }) {
  const { max_requests: all, requests_per_worker: perWorker } = scale;
  const requests = Math.min(REQUESTS_PER_PART, perWorker, all === 0 ? perWorker : all);
  const partsOf = (bound: number) => Math.floor(bound / requests);
  return { requests, together: partsOf(all), atOnce: partsOf(perWorker) };
}
