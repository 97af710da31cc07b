import type { Memory, RememberedPod } from './memory.js';

/**
 * Forgets what lies below an address, all for null: shares, whose keys they use, figures. What was
 * released and spent stays, and so do the pod_ids that were given. `digestOf` gives the digest of a key.
 */
export function forget(memory: Memory, below: string | null, digestOf: (key: Buffer) => string) {
  const pods = new Map(memory.pods);
  const roots: string[] = [];
  let shares = 0;
  for (const pod of memory.pods.values()) {
    const isWhole = below === null || pod.root.startsWith(below);
    if (!isWhole && !below.startsWith(pod.root)) continue;
    const rest = isWhole ? null : withoutFolder(pod, below, digestOf);
    const forgotten = pod.shares.size - (rest?.shares.size ?? 0);
    if (!isWhole && forgotten === 0) continue;
    shares += forgotten;
    roots.push(pod.root);
    if (rest === null) pods.delete(pod.root);
    else pods.set(pod.root, rest);
  }
  return { memory: { ...memory, pods }, shares, roots };
}

function withoutFolder(
  pod: RememberedPod,
  folder: string,
  digestOf: (key: Buffer) => string,
): RememberedPod {
  const shares = new Map(pod.shares);
  const keys = new Map(pod.keys);
  for (const { url, key } of pod.shares.values()) {
    if (!url.startsWith(folder)) continue;
    shares.delete(url);
    if (key !== null) keys.delete(digestOf(key));
  }
  return { ...pod, shares, keys, figures: null };
}
