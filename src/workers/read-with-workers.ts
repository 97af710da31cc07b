import { mapConcurrently } from '../base/concurrency.js';
import { chunksOf } from '../base/lists.js';
import { TimeUpError } from '../run/read/ask-pod.js';
import { type PodReader, readShares } from '../run/read/read-shares.js';
import { fileReadings, openedValues, type Task } from './part-messages.js';
import type { PartsQueue } from './parts-queue.js';

/** Values of the inbox in one part, a tenth of a second of work. */
const VALUES_PER_PART = 500;
/** A part is bounded so that losing a worker costs at most some seconds of work. */
const MOST_FILES = 100;
/** With this number of parts, fast parts and slow parts even out. */
const WANTED_PARTS = 100;
/** Parts of the inbox that are in Redis at once: enough for many workers, and a few megabytes. */
const MOST_WAITING = 128;

/** Cuts the reading into parts for workers and puts their results together. */
export function readWithWorkers(queue: Pick<PartsQueue, 'use'>): PodReader {
  return {
    openValues: (sealed, signal) =>
      queue.use(signal, async (perform) => {
        const parts = chunksOf(sealed, VALUES_PER_PART);
        const opened = await mapConcurrently(parts, MOST_WAITING, (values) =>
          perform({ kind: 'open', values }, openedValues),
        );
        return opened.flat();
      }),

    readShares: (connection, pods, task) =>
      queue.use(task.signal, (perform) => {
        const { callers, rules } = task;
        return readShares(connection, pods, task, {
          filesPerPart,
          async readPart(part, { until, signal }) {
            const forMs = until - performance.now();
            const toRead: Task = { kind: 'read', callers, rules, forMs, pods: part };
            try {
              return await perform(toRead, fileReadings, signal);
            } catch (error) {
              if (error instanceof TimeUpError) return [];
              throw error;
            }
          },
        });
      }),
  };
}

export function filesPerPart(files: number): number {
  return Math.max(1, Math.min(MOST_FILES, Math.ceil(files / WANTED_PARTS)));
}
