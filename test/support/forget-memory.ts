import { memoryUrl } from '../../src/memory/stored-memory.js';
import type { InitialisedPod } from './initialised-pod.js';

/** As before the first analysis, for runs with a var/ of their own. */
export async function removeMemory({ client, pod }: InitialisedPod): Promise<void> {
  await client.request(memoryUrl(pod), { method: 'DELETE' });
}
