import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import type { Memory } from './memory.js';
import {
  claimsSchema,
  podSchema,
  restoreClaims,
  restorePod,
  storeClaims,
  storePod,
} from './stored-pod.js';
import { releasesSchema, restoreReleases, storeReleases } from './stored-releases.js';

const storedSchema = z.looseObject({
  schema_version: z.literal(1),
  version: z.int().min(0),
  withheld: z.string().nullable(),
  pods: z.array(podSchema),
  claims: z.array(claimsSchema),
  releases: releasesSchema,
  /** Absent when there are none. */
  earlier_keys: z.record(z.string(), z.base64()).optional(),
});

export interface VersionedMemory {
  /** Rises with each write. */
  version: number;
  memory: Memory;
}

export function writeMemory({ version, memory }: VersionedMemory): string {
  const stored: z.infer<typeof storedSchema> = {
    ...memory.later,
    schema_version: 1,
    version,
    withheld: memory.withheld,
    pods: [...memory.pods.values()].map(storePod),
    claims: [...memory.claims].map(storeClaims),
    releases: storeReleases(memory.releases),
    ...(memory.earlierKeys.size > 0 && { earlier_keys: storeKeys(memory.earlierKeys) }),
  };
  return JSON.stringify(stored);
}

/** Null for a text that is not a memory, or has a later form. */
export function readMemory(text: string): VersionedMemory | null {
  const parsed = storedSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const {
    schema_version: _schemaVersion,
    version,
    withheld,
    pods,
    claims,
    releases,
    earlier_keys = {},
    ...later
  } = parsed.data;
  const restored = restoreReleases(releases);
  if (restored === null) return null;
  return {
    version,
    memory: {
      withheld,
      pods: new Map(pods.map((pod) => [pod.root, restorePod(pod)])),
      claims: new Map(claims.map(restoreClaims)),
      releases: restored,
      earlierKeys: new Map(
        Object.entries(earlier_keys).map(([path, key]) => [path, Buffer.from(key, 'base64')]),
      ),
      later,
    },
  };
}

function storeKeys(keys: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries(Array.from(keys, ([path, key]) => [path, key.toString('base64')]));
}
