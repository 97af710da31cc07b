import { notAsked } from '../pod/outcome.js';
import { TimeUpError } from '../run/read/deadline.js';
import { type PodReader, readShares } from '../run/read/read-shares.js';
import type { PartReader } from '../run/read/read-task.js';
import type { Task } from './part-messages.js';
import type { PartsQueue } from './parts-queue.js';

/** A part is bounded so that losing a worker costs at most some seconds of work. */
const MOST_FILES = 100;
/** With this number of parts, fast parts and slow parts even out. */
const WANTED_PARTS = 100;
/** Cuts the reading into parts for workers and puts their results together. */
export function readWithWorkers(queue: Pick<PartsQueue, 'use'>): PodReader {
  return {
    readShares: (connection, pods, task) =>
      queue.use(task.signal, (perform, ending) => {
        const { served, rules } = task;
        const reader: PartReader = {
          filesPerPart,
          async readPart(files, { deadline: { until, signal } }) {
            const forMs = until - performance.now();
            const toRead: Task = { served, rules, forMs, files };
            try {
              return await perform(toRead, signal);
            } catch (error) {
              if (!(error instanceof TimeUpError)) throw error;
              return files.map(() => ({ outcome: notAsked, openTo: 'unknown' }));
            }
          },
        };
        return readShares(connection, pods, { ...task, signal: ending }, reader);
      }),
  };
}

export function filesPerPart(files: number): number {
  return Math.max(1, Math.min(MOST_FILES, Math.ceil(files / WANTED_PARTS)));
}
