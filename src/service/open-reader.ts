import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import type { Observer } from '../run/observer.js';
import { localPodReader, type PodReader } from '../run/read/read-shares.js';

interface ReaderSettings {
  config: Config;
  secrets: Secrets;
  /** The digest of the build. */
  build: string;
  log: Logger;
  observe: Observer;
  /** Told, now and later, why nothing can be read, in words for callers; empty when reading works. */
  onProblem?: (problem: string) => void;
}

export interface OpenReader {
  podReader: PodReader;
  leave: () => Promise<void>;
}

/** This process reads, unless Redis is configured. The code of the workers is loaded only with Redis. */
export async function openReader(settings: ReaderSettings): Promise<OpenReader> {
  const { redisUrl } = settings.secrets;
  if (redisUrl === null) return { podReader: localPodReader, leave: () => Promise.resolve() };
  const { joinWorkers } = await import('../workers/join.js');
  return await joinWorkers({ ...settings, redisUrl });
}
