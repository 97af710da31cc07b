import type { Memory, RememberedPod } from '../../memory/memory.js';

interface Forgotten {
  memory: Memory;
  /** How many shares were forgotten. */
  shares: number;
  roots: string[];
}

/**
 * Forgets the shares and sums below an address, or all of them if `below` is null. The releases, the budget that
 * they spent and the claims on keys stay.
 */
export function forget(memory: Memory, below: string | null): Forgotten {
  const pods = new Map(memory.pods);
  const roots: string[] = [];
  let shares = 0;
  for (const pod of memory.pods.values()) {
    const isWhole = below === null || pod.root.startsWith(below);
    const rest = isWhole ? null : withoutFolder(pod, below);
    const forgotten = pod.shares.size - (rest?.shares.size ?? 0);
    if (!isWhole && forgotten === 0) continue;
    shares += forgotten;
    roots.push(pod.root);
    if (rest === null || rest.shares.size === 0) pods.delete(pod.root);
    else pods.set(pod.root, rest);
  }
  return { memory: { ...memory, pods }, shares, roots };
}

function withoutFolder(pod: RememberedPod, folder: string): RememberedPod {
  const isLeft = ([url]: readonly [string, unknown]) => !url.startsWith(folder);
  const shares = new Map([...pod.shares].filter(isLeft));
  const folders = new Map([...pod.folders].filter(isLeft));
  return { ...pod, shares, folders, sums: null };
}
