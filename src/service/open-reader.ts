import { localPodReader, type PodReader } from '../run/read/read-shares.js';
import type { JoinSettings } from '../workers/read-with-workers.js';

interface OpenReader {
  podReader: PodReader;
  leave: () => Promise<void>;
}

/** This process reads, unless Redis is configured. The code of the workers is loaded only with Redis. */
export async function openReader(settings: Omit<JoinSettings, 'redisUrl'>): Promise<OpenReader> {
  const { redisUrl } = settings.secrets;
  if (redisUrl === null) return { podReader: localPodReader, leave: () => Promise.resolve() };
  const { joinWorkers } = await import('../workers/read-with-workers.js');
  return await joinWorkers({ ...settings, redisUrl });
}
