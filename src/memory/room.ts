import { type Claim, type Memory, MOST_EARLIER_KEYS, type RememberedPod } from './memory.js';
import { writeMemory } from './memory-format.js';
import { storeClaims, storePod } from './stored-pod.js';

/** The largest size of the document in the Pod. */
export const MOST_SEALED_BYTES = 48 * 1024 * 1024;

/** The bytes of IV and tag, which the seal adds. */
const SEAL_BYTES = 28;

/** The bytes of one earlier key with the digest of its path. */
const EARLIER_KEY_BYTES = 80;

/** The largest text before sealing and base64. Leaves room for earlier keys, which are added after fitting. */
const MOST_TEXT_BYTES =
  (MOST_SEALED_BYTES / 4) * 3 - SEAL_BYTES - MOST_EARLIER_KEYS * EARLIER_KEY_BYTES;

export interface Fitted {
  memory: Memory;
  /** Digests of the roots of Pods that lost something. */
  gaveWay: ReadonlySet<string>;
}

/** Everything that is stored for a Pod. */
interface Stored {
  /** The digest of the Pod's root. */
  digest: string;
  /** Null when it shares nothing any more. */
  pod: RememberedPod | null;
  claims: ReadonlyMap<string, Claim>;
}

/**
 * Cuts the memory down to the room that there is. Every Pod has an equal part of the room, and small Pods leave the
 * rest of their part to others. A larger Pod loses its refused claims, then its newest shares, then its newest keys.
 */
export function fitMemory(
  memory: Memory,
  digestOfRoot: (root: string) => string,
  mostBytes: number = MOST_TEXT_BYTES,
): Fitted {
  const all = storedOf(memory, digestOfRoot);
  const sized = all.map((stored) => ({ stored, bytes: bytesOf(stored) }));
  const { pods: _pods, claims: _claims, ...rest } = memory;
  const empty = { ...rest, pods: new Map<string, never>(), claims: new Map<string, never>() };
  const besides = writeMemory({ version: Number.MAX_SAFE_INTEGER, memory: empty });
  const most = fairShare(
    sized.map(({ bytes }) => bytes),
    mostBytes - Buffer.byteLength(besides),
  );
  const large = sized.filter(({ bytes }) => bytes > most);
  if (large.length === 0) return { memory, gaveWay: new Set() };
  const pods = new Map(memory.pods);
  const claims = new Map(memory.claims);
  for (const { stored } of large) {
    const fitted = fitPod(stored, most);
    if (stored.pod !== null) pods.delete(stored.pod.root);
    if (fitted.pod !== null) pods.set(fitted.pod.root, fitted.pod);
    if (fitted.claims.size === 0) claims.delete(stored.digest);
    else claims.set(stored.digest, fitted.claims);
  }
  const gaveWay = new Set(large.map(({ stored }) => stored.digest));
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

function storedOf({ pods, claims }: Memory, digestOfRoot: (root: string) => string): Stored[] {
  const byDigest = new Map([...pods.values()].map((pod) => [digestOfRoot(pod.root), pod]));
  const digests = new Set([...byDigest.keys(), ...claims.keys()]);
  return Array.from(digests, (digest) => ({
    digest,
    pod: byDigest.get(digest) ?? null,
    claims: claims.get(digest) ?? new Map<string, Claim>(),
  }));
}

function fitPod(stored: Stored, most: number): Stored {
  const own = new Map([...stored.claims].filter(([, claim]) => claim === 'own'));
  let bytes = bytesOf({ ...stored, claims: own });
  const shares = new Map(stored.pod?.shares);
  for (const share of [...shares.values()].reverse()) {
    if (bytes <= most || stored.pod === null) break;
    shares.delete(share.url);
    bytes -= bytesOfShare(share, stored.pod);
  }
  const keys = new Map(own);
  for (const key of [...own.keys()].reverse()) {
    if (bytes <= most) break;
    keys.delete(key);
    bytes -= Buffer.byteLength(JSON.stringify(key)) + 1;
  }
  const pod = stored.pod === null || shares.size === 0 ? null : { ...stored.pod, shares };
  return { ...stored, pod, claims: keys };
}

function bytesOfShare(share: { url: string }, pod: RememberedPod): number {
  const found = pod.shares.get(share.url);
  if (found === undefined) return 0;
  const without = storePod({ ...pod, shares: new Map() });
  const alone = storePod({ ...pod, shares: new Map([[share.url, found]]) });
  return bytes(alone) - bytes(without) + 1;
}

/** Each part is followed by a comma in the stored list. */
function bytesOf({ digest, pod, claims }: Stored): number {
  const ofPod = pod === null ? 0 : bytes(storePod(pod)) + 1;
  return ofPod + (claims.size === 0 ? 0 : bytes(storeClaims([digest, claims])) + 1);
}

function bytes(stored: unknown): number {
  return Buffer.byteLength(JSON.stringify(stored));
}
