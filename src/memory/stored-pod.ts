import { z } from 'zod';
import { figuresOf } from '../analysis/figures.js';
import type { RememberedFigures, RememberedPod, RememberedShare } from './memory.js';

/** The stored form of a Pod. What is usual is left out, because there can be 50,000 shares. */
const count = z.int().min(0);
const measure = z.tuple([z.number().nullable(), count]);

const shareSchema = z.strictObject({
  /** From the root of the Pod on, with a slash before it; whole where it is not below that. */
  url: z.string(),
  key: z.base64().optional(),
  missing_on: z.array(z.int()).optional(),
  not_asked: z.literal(true).optional(),
});
type StoredShare = z.infer<typeof shareSchema>;

/** A digest that was refused stands in a list of its own. */
const keySchema = z.union([z.string(), z.tuple([z.string()])]);
type StoredKey = z.infer<typeof keySchema>;

export const podSchema = z.strictObject({
  root: z.string(),
  /** Absent where it is the root itself. */
  spelling: z.string().optional(),
  shares: z.array(shareSchema).optional(),
  figures: z
    .strictObject({
      day: z.int(),
      rules: z.string(),
      observation_count: count,
      /** The average and the number of readings behind it. */
      measures: z.strictObject({ systolic: measure, diastolic: measure, heart_rate: measure }),
    })
    .optional(),
  keys: z.array(keySchema).optional(),
});
export type StoredPod = z.infer<typeof podSchema>;

export function storePod({ root, spelling, shares, figures, keys }: RememberedPod): StoredPod {
  return {
    root,
    ...(spelling !== root && { spelling }),
    ...(shares.size > 0 && {
      shares: [...shares.values()].map((share) => storeShare(share, root)),
    }),
    ...(figures !== null && { figures: storeFigures(figures) }),
    ...(keys.size > 0 && {
      keys: [...keys].map(([digest, whose]) => storeKey(digest, whose)),
    }),
  };
}

export function restorePod({
  root,
  spelling = root,
  shares = [],
  figures,
  keys = [],
}: StoredPod): RememberedPod {
  return {
    root,
    spelling,
    shares: new Map(
      shares.map((stored) => {
        const share = restoreShare(stored, root);
        return [share.url, share];
      }),
    ),
    figures: figures === undefined ? null : restoreFigures(figures),
    keys: new Map(
      keys.map((one) => (typeof one === 'string' ? [one, 'own'] : [one[0], 'refused'])),
    ),
  };
}

export function storeShare(share: RememberedShare, root: string): StoredShare {
  const { url, key, missingOn, wasNotAsked } = share;
  return {
    url: withoutRoot(url, root),
    ...(key !== null && { key: key.toString('base64') }),
    ...(missingOn.length > 0 && { missing_on: [...missingOn] }),
    ...(wasNotAsked && { not_asked: true }),
  };
}

export function storeKey(digest: string, whose: 'own' | 'refused'): StoredKey {
  return whose === 'own' ? digest : [digest];
}

function restoreShare(stored: StoredShare, root: string): RememberedShare {
  const url = withRoot(stored.url, root);
  return {
    url,
    key: stored.key === undefined ? null : Buffer.from(stored.key, 'base64'),
    missingOn: stored.missing_on ?? [],
    wasNotAsked: stored.not_asked ?? false,
  };
}

/** In a fixed order, so that equal memories are equal texts. */
function storeFigures(figures: RememberedFigures): StoredPod['figures'] {
  const { day, rules, observation_count } = figures;
  const measures = figuresOf((name): [number | null, number] => {
    const { average, count: readings } = figures.measures[name];
    return [average, readings];
  });
  return { day, rules, observation_count, measures };
}

function restoreFigures({
  measures,
  ...rest
}: NonNullable<StoredPod['figures']>): RememberedFigures {
  const restored = figuresOf((name) => {
    const [average, readings] = measures[name];
    return { average, count: readings };
  });
  return { ...rest, measures: restored };
}

function withoutRoot(address: string, root: string): string {
  return address.startsWith(root) ? `/${address.slice(root.length)}` : address;
}

function withRoot(stored: string, root: string): string {
  return stored.startsWith('/') ? `${root}${stored.slice(1)}` : stored;
}
