import { z } from 'zod';
import { byMeasure, measureNames } from '../analysis/reading.js';
import { groupBy } from '../base/lists.js';
import { parseJson } from '../base/parse-json.js';
import { isFolder } from '../pod/addresses.js';
import type { Claims, Memory, RememberedPod, RememberedShare } from './memory.js';

export const MOST_SEALED_BYTES = 48 * 1024 * 1024;

const count = z.int().min(0);
const perMeasure = <T extends z.ZodType>(value: T) => z.record(z.enum(measureNames), value);

/** Usual values are left out, because there can be 50,000 shares. */
const podSchema = z.object({
  root: z.string(),
  shares: z.array(
    z.object({
      /** Relative to the root, after a slash; whole if it lies elsewhere. A folder's ends in a slash. */
      url: z.string(),
      key: z.base64().optional(),
      missing_on: z.array(z.int()).optional(),
    }),
  ),
  figures: z
    .object({
      day: z.int(),
      rules: z.string(),
      observation_count: count,
      /** Of each measure a sum in hundredths, and the number of readings behind it. */
      sums: perMeasure(z.tuple([z.int(), count])),
    })
    .optional(),
});
type StoredPod = z.infer<typeof podSchema>;

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
  earlier_keys: z.record(z.string(), z.base64()).optional(),
});

/** In a fixed order, so that equal memories are equal texts. */
export function writeMemory(memory: Memory): string {
  const stored: z.infer<typeof storedSchema> = {
    schema_version: 1,
    withheld: memory.withheld,
    pods: Array.from(memory.pods.values(), storePod),
    claims: storeClaims(memory.claims),
    releases: memory.releases.map(({ releasedAt, ...rest }) => ({
      released_at: releasedAt,
      ...rest,
    })),
    ...(memory.earlierKeys.size > 0 && { earlier_keys: storeKeys(memory.earlierKeys) }),
  };
  return JSON.stringify(stored);
}

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

export function storePod({ root, shares, folders, sums }: RememberedPod): StoredPod {
  const storeAddress = (url: string, key: Buffer | null) => ({
    url: url.startsWith(root) ? `/${url.slice(root.length)}` : url,
    ...(key !== null && { key: key.toString('base64') }),
  });
  const stored = {
    root,
    shares: [
      ...Array.from(folders, ([url, key]) => storeAddress(url, key)),
      ...Array.from(shares.values(), ({ url, ownKey: key, missingOn }) => ({
        ...storeAddress(url, key),
        ...(missingOn.length > 0 && { missing_on: [...missingOn] }),
      })),
    ],
  };
  if (sums === null) return stored;
  const { day, rules, observation_count, measures } = sums;
  const pairs = byMeasure((name): [number, number] => [measures[name].sum, measures[name].count]);
  return { ...stored, figures: { day, rules, observation_count, sums: pairs } };
}

function restorePod({ root, shares, figures }: StoredPod): RememberedPod {
  const files = new Map<string, RememberedShare>();
  const folders = new Map<string, Buffer | null>();
  for (const { url: stored, key: text, missing_on: missingOn = [] } of shares) {
    const url = stored.startsWith('/') ? `${root}${stored.slice(1)}` : stored;
    const key = text === undefined ? null : Buffer.from(text, 'base64');
    if (isFolder(url)) folders.set(url, key);
    else files.set(url, { url, ownKey: key, missingOn });
  }
  const pod = { root, shares: files, folders };
  if (figures === undefined) return { ...pod, sums: null };
  const { sums, ...rest } = figures;
  const measures = byMeasure((name) => ({ sum: sums[name][0], count: sums[name][1] }));
  return { ...pod, sums: { ...rest, measures } };
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
