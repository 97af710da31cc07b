import { randomBytes } from 'node:crypto';
import { emptyMemory, type Memory, type RememberedShare } from '../../src/memory/memory.js';
import {
  type Evidence,
  type FoundMemory,
  openStoredMemory,
  type StoredMemory,
} from '../../src/memory/stored-memory.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { atEnd } from '../support/at-end.js';
import type { InitialisedPod } from '../support/initialised-pod.js';

/** What a machine knows that has never seen a memory. */
export const nothingKnown: Evidence = {
  note: { state: 'read', version: 0, digest: '' },
  hasSentFigures: () => Promise.resolve(false),
};

export const noted = (version: number, digest = ''): Evidence => ({
  ...nothingKnown,
  note: { state: 'read', version, digest },
});

/** One Pod with one share for each name. */
export function memoryOf(...names: string[]): Memory {
  const pods = names.map((name) => {
    const root = `https://pods.example/${name}/`;
    const url = `${root}app/data/bp.json.enc.ttl`;
    const share: RememberedShare = { url, ownKey: randomBytes(32), missingOn: [] };
    return { root, shares: new Map([[url, share]]), folders: new Map(), sums: null };
  });
  return { ...emptyMemory(), pods: new Map(pods.map((pod) => [pod.root, pod])) };
}

export function namesIn({ memory }: Pick<FoundMemory, 'memory'>): string[] {
  return [...memory.pods.keys()].map((root) => root.split('/').at(-2) ?? '');
}

/** What a process of the Analyser with a connection of its own reads and writes. It gives up at the first silence. */
export function startProcess(
  server: { baseUrl: string },
  { account, pod }: InitialisedPod,
): StoredMemory {
  const client = createSolidClient({
    serverUrl: server.baseUrl,
    credentials: account,
    policy: { tries: 1, slowTries: 1, mostRefusals: 1 },
  });
  const memory = openStoredMemory(client, pod);
  atEnd(async () => {
    memory.dispose();
    await client.close();
  });
  return memory;
}
