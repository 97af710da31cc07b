import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import type { Observer } from '../run/observer.js';
import { partBounds } from './part-messages.js';
import { PartsQueue } from './parts-queue.js';
import { readWithWorkers } from './read-with-workers.js';
import { SharedRedis } from './shared-redis.js';
import { deriveSharedSecret } from './shared-secret.js';

/** How often Redis is asked whether a worker is there. */
const LOOK_MS = 2_000;

export interface ScaleSettings {
  config: Config;
  secrets: Secrets;
  redisUrl: string;
  /** The digest of the build. */
  build: string;
  log: Logger;
  observe: Observer;
}

export interface JoinSettings extends ScaleSettings {
  /** Told, now and later, why nothing can be read, in words for callers; empty when reading works. */
  onProblem?: (problem: string) => void;
}

/** Derives the secret that all processes of one Analyser share, and connects to Redis. */
export async function openSharedRedis({
  config,
  secrets,
  redisUrl,
  log,
}: Pick<ScaleSettings, 'config' | 'secrets' | 'redisUrl' | 'log'>) {
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  return { secret, redis: new SharedRedis(redisUrl, secret.prefix, log) };
}

/** Lets workers read in place of this process. */
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
