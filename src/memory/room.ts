import type { Memory, RememberedPod } from './memory.js';
import { writeMemory } from './memory-format.js';
import { storeKey, storePod, storeShare } from './stored-pod.js';

/** The document, as it lies in the Pod. */
export const MOST_SEALED_BYTES = 48 * 1024 * 1024;

/** IV and tag. */
const SEAL_BYTES = 28;

/** The text inside: sealed, it is written as base64. */
const MOST_TEXT_BYTES = (MOST_SEALED_BYTES / 4) * 3 - SEAL_BYTES;

export interface Fitted {
  memory: Memory;
  /** Roots of the Pods of which less is remembered now. */
  gaveWay: readonly string[];
}

/** From the key of a share to its digest in `RememberedPod.keys`. */
export type DigestOfKey = (key: Buffer) => string;

/**
 * The memory, as far as there is room for it. The Pods that take the most give way until all fit.
 * Of a Pod go first its refused claims and the digests that belong to no share of it, then its
 * newest shares. One share and the figures of every Pod go before anybody's second share.
 */
export function fitMemory(
  memory: Memory,
  digestOfKey: DigestOfKey,
  mostBytes: number = MOST_TEXT_BYTES,
): Fitted {
  if (bytesOf(memory) <= mostBytes) return { memory, gaveWay: [] };
  const plans = [...memory.pods.values()].map((pod) => planFor(pod, digestOfKey));
  const room = mostBytes - bytesOf({ ...memory, pods: new Map() });
  const leastRoom = sum(plans.map(({ sizes, essential }) => sizes[essential] ?? 0));
  const counts = dropsThatFit(plans, room, { mayDropPods: leastRoom > room });
  const pods = plans.map((plan, index) => applyPlan(plan, counts[index] ?? 0));
  return {
    memory: {
      ...memory,
      pods: new Map(pods.flatMap((pod) => (pod === null ? [] : [[pod.root, pod]]))),
    },
    gaveWay: plans.filter((_, index) => (counts[index] ?? 0) > 0).map(({ pod }) => pod.root),
  };
}

/** What a Pod would lose, one after the other. */
interface Plan {
  pod: RememberedPod;
  drops: ({ digest: string } | { share: string } | 'pod')[];
  /** What it takes after none, one, two … of them. */
  sizes: number[];
  /** How many leave it one share and its figures. */
  essential: number;
}

function planFor(pod: RememberedPod, digestOfKey: DigestOfKey): Plan {
  const shares = [...pod.shares.values()];
  const used = new Set(shares.flatMap(({ key }) => (key === null ? [] : [digestOfKey(key)])));
  const [oldest, ...others] = shares;
  const first = oldest?.key ? digestOfKey(oldest.key) : null;
  const digests = [...pod.keys];
  const isLoose = ([digest, whose]: [string, 'own' | 'refused']) =>
    whose === 'refused' || !used.has(digest);
  const loose = digests.filter(isLoose);
  // The digest of a share outlasts it, since it takes less and keeps the key from others.
  const last = digests.filter((entry) => !isLoose(entry) && entry[0] !== first);
  const digestSteps = (some: typeof digests) =>
    some.map(([digest, whose]) => ({ drop: { digest }, bytes: bytes(storeKey(digest, whose)) }));
  const shareSteps = others
    .reverse()
    .map((share) => ({ drop: { share: share.url }, bytes: bytes(storeShare(share, pod.root)) }));
  const steps = [...digestSteps(loose), ...shareSteps, ...digestSteps(last)];
  let size = bytes(storePod(pod));
  const sizes = [size];
  for (const step of steps) {
    size -= step.bytes;
    sizes.push(size);
  }
  const drops = [...steps.map(({ drop }) => drop), 'pod' as const];
  return { pod, drops, sizes: [...sizes, 0], essential: steps.length };
}

/** For each Pod, how much it loses: everything above the highest level at which all fit. */
function dropsThatFit(
  plans: readonly Plan[],
  room: number,
  { mayDropPods }: { mayDropPods: boolean },
): number[] {
  const dropsAt = ({ sizes, essential }: Plan, level: number) => {
    const most = mayDropPods ? sizes.length - 1 : essential;
    const fitting = sizes.findIndex((size) => size <= level);
    return fitting < 0 ? most : Math.min(fitting, most);
  };
  const sizeAt = (plan: Plan, level: number) => plan.sizes[dropsAt(plan, level)] ?? 0;
  let [level, tooHigh] = [0, room + 1];
  while (tooHigh - level > 1) {
    const middle = Math.floor((level + tooHigh) / 2);
    if (sum(plans.map((plan) => sizeAt(plan, middle))) <= room) level = middle;
    else tooHigh = middle;
  }
  // Of Pods that are all as large, some can still keep a little more.
  let left = room - sum(plans.map((plan) => sizeAt(plan, level)));
  return plans.map((plan) => {
    const more = sizeAt(plan, level + 1) - sizeAt(plan, level);
    if (more > left) return dropsAt(plan, level);
    left -= more;
    return dropsAt(plan, level + 1);
  });
}

/** Null when nothing of the Pod is left. */
function applyPlan({ pod, drops }: Plan, count: number): RememberedPod | null {
  if (count === 0) return pod;
  const keys = new Map(pod.keys);
  const shares = new Map(pod.shares);
  for (const drop of drops.slice(0, count)) {
    if (drop === 'pod') return null;
    if ('digest' in drop) keys.delete(drop.digest);
    else shares.delete(drop.share);
  }
  return { ...pod, keys, shares };
}

function bytesOf(memory: Memory): number {
  return Buffer.byteLength(
    writeMemory({ version: Number.MAX_SAFE_INTEGER, isGuarded: false, memory }),
  );
}

/** With the comma after it. */
function bytes(stored: unknown): number {
  return Buffer.byteLength(JSON.stringify(stored)) + 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
