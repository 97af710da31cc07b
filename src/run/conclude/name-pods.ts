import type { Memory } from '../../memory/memory.js';
import { parseWebId, webIdOfRoot } from '../../pod/addresses.js';
import { canonicalResource } from '../../pod/resource-address.js';
import type { GatheredShares } from '../gather/gather-shares.js';
import type { PodReading, PodToRead } from '../read/read-task.js';

/**
 * The root of a Pod as its owner's app spells it: as it is remembered; for a new Pod as an entry
 * spells it that brought a key which opened something, the canonical spelling first.
 */
export function spellingOfPod(
  { owner, files }: PodReading,
  { spellings }: Pick<GatheredShares, 'spellings'>,
  { pods }: Pick<Memory, 'pods'>,
): string {
  const known = pods.get(owner.root);
  if (known !== undefined && known.shares.size > 0) return known.spelling;
  let other: string | null = null;
  for (const { url, listedIn, fate } of files) {
    if (fate.kind !== 'read') continue;
    const { key, folder } = fate;
    const place = folder ?? (spellings.has(url) ? url : (listedIn ?? url));
    const written = spellings.get(place);
    if (written === undefined) return owner.root;
    for (const { address, keys } of written) {
      if (key !== null && !keys.some((candidate) => candidate.equals(key))) continue;
      const root = rootIn(address, owner.root);
      if (root === owner.root) return root;
      other ??= root;
    }
  }
  return other ?? owner.root;
}

/** The same of a Pod of which nothing was read: as it is remembered, or as its entries spell it. */
export function announcedSpelling(
  { owner, shares }: PodToRead,
  { spellings }: Pick<GatheredShares, 'spellings'>,
  { pods }: Pick<Memory, 'pods'>,
): string {
  const known = pods.get(owner.root);
  if (known !== undefined && known.shares.size > 0) return known.spelling;
  const roots = shares.flatMap(({ url }) => {
    const written = spellings.get(url)?.map(({ address }) => address) ?? [url];
    return written.flatMap((address) => rootIn(address, owner.root) ?? []);
  });
  return roots.includes(owner.root) ? owner.root : (roots[0] ?? owner.root);
}

/** The part of an address that spells the Pod's root; null when that makes no WebID. */
function rootIn(address: string, root: string): string | null {
  const depth = root.split('/').length - 1;
  const written = `${address.split('/').slice(0, depth).join('/')}/`;
  const isSame = canonicalResource(written) === root && parseWebId(webIdOfRoot(written)) !== null;
  return isSame ? written : null;
}
