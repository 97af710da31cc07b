import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import type { Observer } from '../run/observer.js';
import { type PodReader, thisProcess } from '../run/read/pod-reader.js';
import type { CreateQueue } from '../thread/analysis-service.js';
import { readVersion } from './version.js';

export interface Joined {
  podReader: PodReader;
  /** Null: callers line up in this process alone. */
  createQueue: CreateQueue | null;
  leave: () => Promise<void>;
}

/** Alone, unless there is a Redis to share the work over; only then is anything of that loaded. */
export async function joinOthers(
  config: Config,
  secrets: Secrets,
  log: Logger,
  observer: Observer,
): Promise<Joined> {
  const { redisUrl } = secrets;
  if (redisUrl === null) {
    return { podReader: thisProcess, createQueue: null, leave: () => Promise.resolve() };
  }
  const { join } = await import('../scale/join.js');
  return await join({ config, secrets, redisUrl, version: readVersion(), log, observer });
}
