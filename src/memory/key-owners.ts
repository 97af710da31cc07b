import type { Memory } from './memory.js';

/**
 * A key that opened files of one Pod opens none of another, also after the share has ended: somebody
 * has copied files, and would see them decrypted. Where nobody owns the key, it is anybody's whom
 * no other Pod contends with.
 */
export function keyOwners({ pods }: Pick<Memory, 'pods'>) {
  const owners = new Map<string, string>();
  const contenders = new Map<string, string[]>();
  for (const { root, keys } of pods.values()) {
    for (const [digest, kind] of keys) {
      if (kind === 'own') owners.set(digest, root);
      else contenders.set(digest, [...(contenders.get(digest) ?? []), root]);
    }
  }
  return {
    /** Whether a file of the Pod that this key opens does not count. */
    isForeign(digest: string, root: string): boolean {
      const owner = owners.get(digest);
      if (owner !== undefined) return owner !== root;
      return contenders.get(digest)?.some((other) => other !== root) ?? false;
    },
    /** The roots of other Pods that have the key, or claim it as well. */
    othersWith(digest: string, root: string): string[] {
      const owner = owners.get(digest);
      const others = owner === undefined ? (contenders.get(digest) ?? []) : [owner];
      return others.filter((other) => other !== root);
    },
  };
}
