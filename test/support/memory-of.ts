import type { FoundMemory } from '../../src/memory/stored-memory.js';
import { memoryAccess } from '../../src/run/remember/memory-access.js';
import { listContainer } from '../../src/solid/documents.js';
import { openResultsStore } from '../../src/store/results-store.js';
import type { InitialisedPod } from './initialised-pod.js';
import type { TestRuns } from './test-runs.js';

export function memoryAddress({ pod }: Pick<InitialisedPod, 'pod'>): string {
  return `${pod.documents.app}analyser/memory.txt`;
}

/** What the Analyser remembers, as its next analysis will find it. */
export function memoryOf({ connection, config }: TestRuns): Promise<FoundMemory> {
  const results = openResultsStore(config.output.results_dir);
  return memoryAccess(connection, config, results.history).read();
}

/** As before the first analysis, for runs with a var/ of their own; copies of spoilt memories go as well. */
export async function removeMemory({ client, pod }: InitialisedPod): Promise<void> {
  const members = (await listContainer(client, `${pod.documents.app}analyser/`)) ?? [];
  for (const url of members) await client.request(url, { method: 'DELETE' });
}
