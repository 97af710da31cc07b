import type { AnalysisQueue, QueueLimits, RecordedRun, RunTurn } from '../queue/analysis-queue.js';
import { BullQueue } from './bull-queue.js';
import { partBounds, queueNames } from './part-messages.js';
import { PartsQueue } from './parts-queue.js';
import { Presence } from './presence.js';
import { readWithWorkers } from './read-with-workers.js';
import { createSharedRecords } from './shared-records.js';
import { SharedRedis } from './shared-redis.js';
import { deriveSharedSecret } from './shared-secret.js';
import type { ScaleSettings } from './worker.js';

/** A place among the processes of one Analyser, for one that has callers. */
export async function join(settings: ScaleSettings) {
  const { config, secrets, redisUrl, version, log, observer } = settings;
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  const redis = new SharedRedis(redisUrl, secret.prefix, log);
  await redis.firstContact();
  const presence = new Presence(redis, { role: 'service', version });
  const { together } = partBounds(config.scale);
  const parts = new PartsQueue(redis, secret, version, together);
  const queue = redis.openQueue(queueNames(version).parts);
  const countParts = () => redis.ask(() => queue.getJobCountByTypes('waiting', 'active'));
  const onLook = async () => observer.partsInQueue(await countParts());
  return {
    podReader: { ...readWithWorkers(parts), sharedRecords: createSharedRecords(redis) },
    createQueue: (limits: QueueLimits, runTurn: RunTurn, lastRun: RecordedRun): AnalysisQueue =>
      new BullQueue({ redis, secret, presence, version, limits, runTurn, lastRun, onLook }),
    leave: () => redis.close(),
  };
}
