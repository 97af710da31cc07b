import type { Memory } from './memory.js';

/**
 * A key that opened files of one Pod counts in no other Pod, even after the share has ended. Otherwise a copied file
 * would be decrypted for the person who copied it. A key that several Pods claim counts in no Pod, unless one of them
 * had it first. Pods are named by the digests of their roots.
 */
export function keyOwners({ claims }: Pick<Memory, 'claims'>) {
  const owners = new Map<string, string>();
  const claimants = new Map<string, string[]>();
  for (const [pod, keys] of claims) {
    for (const [key, claim] of keys) {
      if (claim === 'own') owners.set(key, pod);
      else claimants.set(key, [...(claimants.get(key) ?? []), pod]);
    }
  }
  /** The other Pods that own the key; without an owner, those with a claim on it. */
  const othersWith = (key: string, pod: string): string[] => {
    const owner = owners.get(key);
    const all = owner === undefined ? (claimants.get(key) ?? []) : [owner];
    return all.filter((other) => other !== pod);
  };
  return {
    othersWith,
    /** Whether files that this key opens are left out of the Pod. */
    isForeign: (key: string, pod: string) => othersWith(key, pod).length > 0,
  };
}

/**
 * Takes from the Pod `from` the keys that it claims and that open files of the Pod `to` (`opening`): their owner has
 * moved from `from` to `to`, or `from` has copied files of `to`. The keys become those of `to`, except keys that a third Pod owns, and
 * keys without an owner that a third Pod claims too: the decision is not about that Pod. Keys that only `from` has used
 * stay with `from`.
 */
export function moveKeys(
  { claims: before, ...rest }: Memory,
  from: string,
  to: string,
  opening: ReadonlySet<string>,
) {
  const claims = new Map(before);
  const theirs = new Map(before.get(from));
  const own = new Map(before.get(to));
  const { othersWith } = keyOwners({ claims: before });
  const taken = [...opening].filter((key) => theirs.delete(key));
  const moved = taken.filter((key) => othersWith(key, to).every((pod) => pod === from));
  for (const key of moved) own.set(key, 'own');
  if (theirs.size === 0) claims.delete(from);
  else claims.set(from, theirs);
  if (own.size > 0) claims.set(to, own);
  return { memory: { ...rest, claims }, taken: taken.length, moved: moved.length };
}
