import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import { type AnalysisQueue, InProcessQueue, type QueueSettings } from '../queue/analysis-queue.js';
import type { Observer } from '../run/observer.js';
import { localPodReader, type PodReader } from '../run/read/read-shares.js';

interface OneOfMany {
  config: Config;
  secrets: Secrets;
  version: string;
  log: Logger;
  observer: Observer;
}

export type CreateQueue = (...of: QueueSettings) => AnalysisQueue;

export interface Joined {
  podReader: PodReader;
  createQueue: CreateQueue;
  leave: () => Promise<void>;
}

export const alone: CreateQueue = (...of) => new InProcessQueue(...of);

/** Alone, unless there is a Redis to share the work over; only then is anything of that loaded. */
export async function joinOthers(settings: OneOfMany): Promise<Joined> {
  const { redisUrl } = settings.secrets;
  if (redisUrl === null) {
    return { podReader: localPodReader, createQueue: alone, leave: () => Promise.resolve() };
  }
  const { join } = await import('../scale/join.js');
  return await join({ ...settings, redisUrl });
}
