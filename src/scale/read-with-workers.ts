import { mapConcurrently } from '../base/concurrency.js';
import { chunksOf } from '../base/lists.js';
import { isTimeUp } from '../run/read/ask-pod.js';
import { type PodReader, readShares } from '../run/read/read-shares.js';
import type { PodSlice } from '../run/read/read-task.js';
import { openedValues, sliceReadings } from './part-messages.js';
import type { PartsQueue } from './parts-queue.js';

/** Values of the inbox in one part, a tenth of a second of work. */
const VALUES_PER_PART = 500;
/** A part is bounded so that losing a worker costs at most some seconds of work. */
const MOST_FILES = 100;
/** This many parts even out fast and slow ones. */
const WANTED_PARTS = 100;
/** Parts in Redis at once: enough for many workers, and a few megabytes. */
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
        return readShares(connection, pods, task, async (slices, asking, onRead) => {
          const { until, retriesUntil, atOnce } = asking;
          const common = { kind: 'read' as const, callers, rules, until, retriesUntil };
          // Workers take parts in order, so few parts of other servers leave room for the own one.
          await mapConcurrently(cutWork(slices), 2 * atOnce, async (part) => {
            if (isTimeUp(asking.signal)) return;
            const readings = await perform({ ...common, slices: part }, sliceReadings);
            for (const [index, slice] of part.entries()) {
              const reading = readings[index];
              if (reading !== undefined) onRead(slice, reading);
            }
          });
        });
      }),
  };
}

/** Puts slices together, in order, into parts of about the same size. */
export function cutWork(slices: readonly PodSlice[]): PodSlice[][] {
  const count = slices.reduce((sum, { files }) => sum + files.length, 0);
  const size = Math.min(MOST_FILES, Math.ceil(count / WANTED_PARTS));
  const parts: PodSlice[][] = [];
  let room = 0;
  for (const slice of slices) {
    if (room <= 0) {
      parts.push([]);
      room = size;
    }
    parts.at(-1)?.push(slice);
    room -= slice.files.length;
  }
  return parts;
}
