import { z } from 'zod';
import { measureNames } from '../analysis/reading.js';
import { groupBy } from '../base/lists.js';
import { parseJson } from '../base/parse-json.js';
import type { Claims } from './claims.js';
import type { Memory } from './memory.js';
import { podSchema, restorePod, storePod } from './stored-pod.js';

const count = z.int().min(0);
const perMeasure = <T extends z.ZodType>(value: T) => z.record(z.enum(measureNames), value);

const releaseSchema = z.strictObject({
  released_at: count,
  epsilon: z.number().positive(),
  figures: perMeasure(z.number().nullable()),
  pods: perMeasure(count),
});

const storedSchema = z.strictObject({
  schema_version: z.literal(1),
  withheld: z.string().nullable(),
  pods: z.array(podSchema),
  /** The digests of keys that the same Pods had first, after the digests of the roots of these Pods. */
  claims: z.array(z.tuple([z.array(z.string()), z.array(z.string())])),
  releases: z.array(releaseSchema),
  /** Absent when there are none. */
  earlier_keys: z.record(z.string(), z.base64()).optional(),
});

export function writeMemory(memory: Memory): string {
  const stored: z.infer<typeof storedSchema> = {
    schema_version: 1,
    withheld: memory.withheld,
    pods: [...memory.pods.values()].map(storePod),
    claims: storeClaims(memory.claims),
    releases: memory.releases.map(({ releasedAt, ...rest }) => ({
      released_at: releasedAt,
      ...rest,
    })),
    ...(memory.earlierKeys.size > 0 && { earlier_keys: storeKeys(memory.earlierKeys) }),
  };
  return JSON.stringify(stored);
}

/** Null for a text that is not a memory. */
export function readMemory(text: string): Memory | null {
  const parsed = storedSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { withheld, pods, claims, releases, earlier_keys = {} } = parsed.data;
  return {
    withheld,
    pods: new Map(pods.map((pod) => [pod.root, restorePod(pod)])),
    claims: new Map(claims.flatMap(([owners, keys]) => keys.map((key) => [key, owners]))),
    releases: releases.map(({ released_at, ...rest }) => ({ ...rest, releasedAt: released_at })),
    earlierKeys: new Map(
      Object.entries(earlier_keys).map(([path, key]) => [path, Buffer.from(key, 'base64')]),
    ),
  };
}

function storeClaims(claims: Claims): [string[], string[]][] {
  const byPods = groupBy(claims, ([, pods]) => pods.join(' '));
  return [...byPods.values()].map((group) => [
    [...(group[0]?.[1] ?? [])],
    group.map(([key]) => key),
  ]);
}

function storeKeys(keys: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries(Array.from(keys, ([path, key]) => [path, key.toString('base64')]));
}
