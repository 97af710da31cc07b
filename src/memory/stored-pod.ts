import { z } from 'zod';
import { figuresOf } from '../analysis/figures.js';
import type { RememberedFigures, RememberedPod, RememberedShare } from './memory.js';

/** The stored form of a Pod. Usual values are left out, because there can be 50,000 shares. */
const count = z.int().min(0);
/** A sum in hundredths, and the number of readings behind it. */
const sumAndCount = z.tuple([z.int(), count]);

const shareSchema = z.object({
  /** Relative to the root of the Pod, with a slash before it; the whole address if it lies elsewhere. */
  url: z.string(),
  key: z.base64().optional(),
  missing_on: z.array(z.int()).optional(),
});
type StoredShare = z.infer<typeof shareSchema>;

export const podSchema = z.object({
  root: z.string(),
  shares: z.array(shareSchema),
  figures: z
    .object({
      day: z.int(),
      rules: z.string(),
      observation_count: count,
      sums: z.object({ systolic: sumAndCount, diastolic: sumAndCount, heart_rate: sumAndCount }),
    })
    .optional(),
});
export type StoredPod = z.infer<typeof podSchema>;

export function storePod({ root, shares, figures }: RememberedPod): StoredPod {
  return {
    root,
    shares: [...shares.values()].map((share) => storeShare(share, root)),
    ...(figures !== null && { figures: storeFigures(figures) }),
  };
}

export function restorePod({ root, shares, figures }: StoredPod): RememberedPod {
  return {
    root,
    shares: new Map(
      shares.map((stored) => {
        const share = restoreShare(stored, root);
        return [share.url, share];
      }),
    ),
    figures: figures === undefined ? null : restoreFigures(figures),
  };
}

function storeShare({ url, key, missingOn }: RememberedShare, root: string): StoredShare {
  return {
    url: withoutRoot(url, root),
    ...(key !== null && { key: key.toString('base64') }),
    ...(missingOn.length > 0 && { missing_on: [...missingOn] }),
  };
}

function restoreShare(stored: StoredShare, root: string): RememberedShare {
  return {
    url: withRoot(stored.url, root),
    key: stored.key === undefined ? null : Buffer.from(stored.key, 'base64'),
    missingOn: stored.missing_on ?? [],
  };
}

/** In a fixed order, so that equal memories are equal texts. */
function storeFigures({ day, rules, observation_count, measures }: RememberedFigures) {
  const sums = figuresOf((name): [number, number] => [measures[name].sum, measures[name].count]);
  return { day, rules, observation_count, sums };
}

function restoreFigures({ sums, ...rest }: NonNullable<StoredPod['figures']>): RememberedFigures {
  const measures = figuresOf((name) => {
    const [sum, readings] = sums[name];
    return { sum, count: readings };
  });
  return { ...rest, measures };
}

function withoutRoot(address: string, root: string): string {
  return address.startsWith(root) ? `/${address.slice(root.length)}` : address;
}

function withRoot(stored: string, root: string): string {
  return stored.startsWith('/') ? `${root}${stored.slice(1)}` : stored;
}
