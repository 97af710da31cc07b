import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import type { AnalysisQueue, QueueSettings } from '../queue/analysis-queue.js';
import type { Observer } from '../run/observer.js';
import { BullQueue } from './bull-queue.js';
import { partBounds } from './part-messages.js';
import { PartsQueue } from './parts-queue.js';
import { readWithWorkers } from './read-with-workers.js';
import { Calls } from './shared-calls.js';
import { SharedRedis } from './shared-redis.js';
import { deriveSharedSecret } from './shared-secret.js';

export interface ScaleSettings {
  config: Config;
  secrets: Secrets;
  redisUrl: string;
  version: string;
  log: Logger;
  observer: Observer;
}

/** What every process of one Analyser needs, a door or a worker. */
export async function openSharedRedis({ config, secrets, redisUrl, log }: ScaleSettings) {
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  return { secret, redis: new SharedRedis(redisUrl, secret.prefix, log) };
}

/** Joins the processes of one Analyser as one that has callers. */
export async function join(settings: ScaleSettings) {
  const { config, version, observer } = settings;
  const { secret, redis } = await openSharedRedis(settings);
  const parts = new PartsQueue(redis, secret, version, partBounds(config.scale).together);
  const findProblem = async () => {
    const { queue } = parts;
    const count = await redis.ask(() => queue.getJobCountByTypes('waiting', 'active'));
    observer.note({ kind: 'parts in queue', count });
    if ((await redis.ask(() => queue.getWorkers())).length > 0) return '';
    return `No worker of version ${version} is ready to read: start one with the mode worker, or look at its log.`;
  };
  return {
    podReader: readWithWorkers(parts),
    createQueue: (...door: QueueSettings): AnalysisQueue =>
      new BullQueue(redis, new Calls(redis, secret, version), findProblem, ...door),
    leave: () => redis.close(),
  };
}
