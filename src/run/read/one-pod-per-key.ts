import type { PodShares } from './pod-shares.js';
import { keyText } from './proof-of-share.js';
import type { PodSlice } from './read-task.js';

export interface SliceOfPod {
  shares: PodShares;
  slice: PodSlice;
}

/**
 * A key that opened files of two Pods was copied, and nobody can tell which Pod has the copy, so what
 * it opens counts in neither. Nor does what the key of a shared folder opens further in. Such files
 * are read again, with that key among the foreign ones, until nothing is left to find.
 */
export async function keepOnePodForEachKey(
  all: readonly PodShares[],
  readAgain: (slices: readonly SliceOfPod[]) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    findDisputes(all);
    const again = all.flatMap((shares) =>
      shares.retakeForeign().map((slice) => ({ shares, slice })),
    );
    if (again.length === 0) return;
    await readAgain(again);
  }
}

function findDisputes(all: readonly PodShares[]): void {
  const podsOf = new Map<string, Set<PodShares>>();
  for (const shares of all) {
    for (const { reading } of shares.files.values()) {
      if (reading?.fate.kind !== 'read' || reading.fate.key === null) continue;
      const key = keyText(reading.fate.key);
      const pods = podsOf.get(key);
      if (pods === undefined) podsOf.set(key, new Set([shares]));
      else pods.add(shares);
    }
  }
  const concerned = new Set<PodShares>();
  for (const [key, pods] of podsOf) {
    if (pods.size === 1) continue;
    for (const shares of pods) {
      shares.disputed.add(key);
      concerned.add(shares);
    }
  }
  const [first] = concerned;
  if (first === undefined) return;
  const roots = [...concerned].map(({ owner }) => owner.root).sort();
  first.warnings.push(
    `One key opens files of several Pods: ${roots.slice(0, 10).join(', ')}. Somebody has copied files of others, and nobody can tell who, ` +
      'so none of the files that it opens count. Find out whose they are; then the mode forget, with the WebID or address of the other Pod (forget <WebID or address/>), lets those of the owner count again.',
  );
}
