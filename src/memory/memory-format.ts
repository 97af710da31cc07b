import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import type { Memory } from './memory.js';
import { podSchema, restorePod, storePod } from './stored-pod.js';
import { releasesSchema, restoreReleases, storeReleases } from './stored-releases.js';

const storedSchema = z.strictObject({
  schema_version: z.literal(1),
  version: z.int().min(0),
  is_guarded: z.boolean(),
  withheld: z.string().nullable(),
  pods: z.array(podSchema),
  releases: releasesSchema,
  pod_ids: z.array(z.tuple([z.string(), z.string()])),
});

export interface VersionedMemory {
  /** Rises with each write. */
  version: number;
  /** Whether the server that it was written to replaces only the version it is told to. */
  isGuarded: boolean;
  memory: Memory;
}

export function writeMemory({ version, isGuarded, memory }: VersionedMemory): string {
  const stored: z.infer<typeof storedSchema> = {
    schema_version: 1,
    version,
    is_guarded: isGuarded,
    withheld: memory.withheld,
    pods: [...memory.pods.values()].map(storePod),
    releases: storeReleases(memory.releases),
    pod_ids: [...memory.podIds],
  };
  return JSON.stringify(stored);
}

/** Null for a text that is no memory, or one of a later form. */
export function readMemory(text: string): VersionedMemory | null {
  const parsed = storedSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { version, is_guarded, withheld, pods, releases, pod_ids } = parsed.data;
  const restored = restoreReleases(releases);
  if (restored === null) return null;
  return {
    version,
    isGuarded: is_guarded,
    memory: {
      withheld,
      pods: new Map(pods.map((pod) => [pod.root, restorePod(pod)])),
      releases: restored,
      podIds: new Map(pod_ids),
    },
  };
}
