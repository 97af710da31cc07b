import { localPodReader } from '../run/read/read-shares.js';
import type { JoinSettings } from '../workers/read-with-workers.js';

/** This process reads, unless Redis is configured. The code of the workers is loaded only with Redis. */
export async function openReader(settings: Omit<JoinSettings, 'redisUrl'>) {
  const { redisUrl } = settings.secrets;
  if (redisUrl === null) return { podReader: localPodReader, leave: () => Promise.resolve() };
  const { joinWorkers } = await import('../workers/read-with-workers.js');
  return await joinWorkers({ ...settings, redisUrl });
}
