import type { Claims } from '../../memory/memory.js';

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
