import { getOrAdd } from '../../base/lists.js';
import type { Memory } from '../../memory/memory.js';
import { MOST_SEALED_BYTES, writeMemory } from '../../memory/memory-format.js';

/** The bytes of IV and tag, which the seal adds, and of the version. */
const HEAD_BYTES = 64;

/** The largest text before sealing and base64. */
const MOST_TEXT_BYTES = (MOST_SEALED_BYTES / 4) * 3 - HEAD_BYTES;

/** At most so many bytes does each take in the text, besides addresses. Canonical addresses are plain ASCII. */
const DIGEST_BYTES = 25;
const LIST_BYTES = 8;
const POD_BYTES = 250;
const SHARE_BYTES = 90;
const DAY_BYTES = 10;

export interface Fitted {
  memory: Memory;
  /** Digests of the roots of Pods that lost something. */
  gaveWay: ReadonlySet<string>;
}

/** A share, by its address, or a key, by its digest. */
interface Kept {
  name: string;
  bytes: number;
}

/**
 * Cuts the memory down to the room that there is. Every Pod has an equal amount of room, and small Pods leave the
 * rest of theirs to others. A larger Pod loses its newest shares, and with them its sums, then its newest keys: the
 * shares that are left are a part of it, which must not pass for the whole.
 */
export function fitMemory(
  memory: Memory,
  digestOfRoot: (root: string) => string,
  mostBytes: number = MOST_TEXT_BYTES,
): Fitted {
  const items = itemsOf(memory, digestOfRoot);
  const sizes = new Map(Array.from(items, ([digest, all]) => [digest, bytesOf(all)]));
  const besides = writeMemory({ ...memory, pods: new Map(), claims: new Map() });
  const most = fairShare([...sizes.values()], mostBytes - Buffer.byteLength(besides));
  const gaveWay = new Set<string>();
  const lost = new Set<string>();
  for (const [digest, all] of items) {
    let bytes = sizes.get(digest) ?? 0;
    for (let last = all.length - 1; bytes > most && last >= 0; last -= 1) {
      gaveWay.add(digest);
      lost.add(`${digest} ${all[last]?.name ?? ''}`);
      bytes -= all[last]?.bytes ?? 0;
    }
  }
  if (lost.size === 0) return { memory, gaveWay };
  const pods = new Map(memory.pods);
  for (const [root, pod] of memory.pods) {
    const digest = digestOfRoot(root);
    if (!gaveWay.has(digest)) continue;
    const shares = new Map([...pod.shares].filter(([url]) => !lost.has(`${digest} ${url}`)));
    if (shares.size === 0) pods.delete(root);
    else if (shares.size < pod.shares.size) pods.set(root, { ...pod, shares, sums: null });
  }
  // A key that several Pods claim is free for nobody while one of them has room for it.
  const claims = new Map(
    [...memory.claims].filter(
      ([key, owners]) => !owners.every((owner) => lost.has(`${owner} ${key}`)),
    ),
  );
  return { memory: { ...memory, pods, claims }, gaveWay };
}

/** The most that each Pod may take so that all Pods fit. */
function fairShare(sizes: readonly number[], room: number): number {
  const sorted = sizes.toSorted((one, other) => one - other);
  let left = room;
  for (const [index, size] of sorted.entries()) {
    const fair = left / (sorted.length - index);
    if (size > fair) return fair;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** By the digests of Pods, what is remembered of each, in reverse of the order in which it gives way. */
function itemsOf({ pods, claims }: Memory, digestOfRoot: (root: string) => string) {
  const items = new Map<string, Kept[]>();
  const add = (digest: string, item: Kept) => getOrAdd(items, digest, () => []).push(item);
  for (const [key, owners] of claims) {
    for (const owner of owners) {
      // The first key of a Pod, and each key that several Pods had, begins a list with their digests.
      const isFirst = owners.length > 1 || !items.has(owner);
      const list = isFirst ? LIST_BYTES + owners.length * DIGEST_BYTES : 0;
      add(owner, { name: key, bytes: DIGEST_BYTES + list });
    }
  }
  for (const { root, shares } of pods.values()) {
    const digest = digestOfRoot(root);
    let besides = POD_BYTES + root.length;
    for (const { url, missingOn } of shares.values()) {
      const bytes = SHARE_BYTES + url.length - root.length + DAY_BYTES * missingOn.length;
      add(digest, { name: url, bytes: bytes + besides });
      besides = 0;
    }
  }
  return items;
}

function bytesOf(items: readonly Kept[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}
