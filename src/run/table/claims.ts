import type { Claims } from '../../memory/memory.js';
import { MOST_CLAIMS } from '../../memory/room.js';

/** The other Pods that have the key: while there are any, files that it opens do not count in this Pod. */
export function othersWith(claims: Claims, key: string, pod: string): readonly string[] {
  return (claims.get(key) ?? []).filter((other) => other !== pod);
}

/** Adds keys that nobody had before. A key that somebody had stays as it is. */
export function addClaims(before: Claims, used: ReadonlyMap<string, readonly string[]>): Claims {
  const added = [...used].filter(([key]) => !before.has(key));
  return added.length === 0 ? before : new Map([...before, ...added]);
}

/**
 * Claims are never taken back, so without a bound somebody could fill the memory with keys. Every Pod may have equally many,
 * and Pods with fewer leave the rest of theirs to others. A Pod with more loses its newest. `crowded` are these Pods.
 */
export function boundClaims(
  claims: Claims,
  most = MOST_CLAIMS,
): { claims: Claims; crowded: ReadonlySet<string> } {
  const counts = new Map<string, number>();
  for (const pods of claims.values()) countEach(pods, counts);
  const fair = fairShare([...counts.values()], most);
  const tooMany = [...counts].filter(([, count]) => count > fair);
  const crowded = new Set(tooMany.map(([pod]) => pod));
  if (crowded.size === 0) return { claims, crowded };
  const kept = new Map<string, number>();
  // A key that several Pods claim is free for nobody while one of them may keep it.
  const left = [...claims].filter(([, pods]) => {
    const keeping = pods.filter((pod) => (kept.get(pod) ?? 0) + 1 <= fair);
    countEach(keeping, kept);
    return keeping.length > 0;
  });
  return { claims: new Map(left), crowded };
}

function countEach(pods: readonly string[], counts: Map<string, number>): void {
  for (const pod of pods) counts.set(pod, (counts.get(pod) ?? 0) + 1);
}

/** The most that each may have so that all together have no more than there is. */
function fairShare(counts: readonly number[], most: number): number {
  let left = most;
  for (const [index, count] of counts.toSorted((one, other) => one - other).entries()) {
    const fair = left / (counts.length - index);
    if (count > fair) return fair;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * Makes the keys of one Pod those of another: their owner has moved, or one has copied the other's files. No key becomes
 * free for the next who uses it.
 */
export function moveClaims(
  before: Claims,
  from: string,
  to: string,
): { claims: Claims; moved: number } {
  let moved = 0;
  const claims = Array.from(before, ([key, pods]): [string, readonly string[]] => {
    if (!pods.includes(from)) return [key, pods];
    moved += 1;
    return [key, [...new Set(pods.map((pod) => (pod === from ? to : pod)))]];
  });
  return { claims: new Map(claims), moved };
}
