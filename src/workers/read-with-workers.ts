import { sum } from '../base/lists.js';
import { notAsked } from '../pod/outcome.js';
import { clear, sooner, TimeUpError } from '../run/read/deadline.js';
import { FilesReader } from '../run/read/read-files.js';
import { readShares } from '../run/read/read-shares.js';
import type { PartReader, PodReader } from '../run/read/read-task.js';
import { PartsQueue, partBounds, type Task } from './parts-queue.js';
import { openSharedRedis, type ScaleSettings } from './shared-redis.js';

/** A part is bounded so that losing a worker costs at most some seconds of work. */
const MOST_FILES = 100;
/** With this number of parts, fast parts and slow parts even out. */
const WANTED_PARTS = 100;
const MOST_KEYS = 10_000;

export function readWithWorkers(queue: Pick<PartsQueue, 'use'>): PodReader {
  return {
    readShares: (connection, pods, task) =>
      queue.use(task.time.stop, (perform, ending) => {
        const { rules } = task;
        const here = new FilesReader(connection, rules);
        const reader: PartReader = {
          filesPerPart,
          async readPart(files, asking) {
            // Strangers can add keys of a folder without end, and each part with a file of it would carry them all.
            const keys = files.flatMap((file) => [file.keys.length, file.folder?.keys.length ?? 0]);
            if (sum(keys) > MOST_KEYS) return await here.readPart(files, asking);
            const { deadline, patienceMs, isAgain } = asking;
            const { until, signal } = deadline;
            const forMs = until - performance.now() - RETURN_MS;
            const toRead: Task = { rules, forMs, files, patienceMs, isAgain };
            try {
              return await perform(toRead, signal);
            } catch (error) {
              if (!(error instanceof TimeUpError)) throw error;
              return files.map(() => notAsked);
            }
          },
        };
        const time = sooner(task.time, ending);
        return readShares(connection, pods, { ...task, time }, reader).finally(() => clear(time));
      }),
  };
}

export function filesPerPart(files: number): number {
  return Math.max(1, Math.min(MOST_FILES, Math.ceil(files / WANTED_PARTS)));
}

/** So much sooner does a worker end than the time is over: what it has found out by then arrives. */
const RETURN_MS = 500;

const LOOK_MS = 2_000;

export interface JoinSettings extends ScaleSettings {
  /** Told, now and later, why nothing can be read, in words for callers; empty when reading works. */
  onProblem?: (problem: string) => void;
}

export async function joinWorkers(settings: JoinSettings) {
  const { config, build, onProblem } = settings;
  const { secret, redis } = await openSharedRedis(settings);
  const parts = new PartsQueue(redis, secret, build, partBounds(config.scale).together);
  const look = async () => onProblem?.(await parts.look());
  await look();
  void redis.repeat(LOOK_MS, look);
  return {
    podReader: readWithWorkers(parts),
    leave: () => redis.close(),
  };
}
