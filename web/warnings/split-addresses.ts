import type { PodEntry } from '../../src/documents/results-document.js';

/** A piece of text, or an address in a Pod of the run: `path` is what follows its root. */
export type Piece = string | { pod: PodEntry; path: string };

export const address = /\bhttps?:\/\/[^\s"'<>]*[^\s"'<>.,:;!?)\]]/g;

/** The text with each address that lies in one of the Pods taken apart. */
export function splitAddresses(text: string, pods: readonly PodEntry[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: url } of text.matchAll(address)) {
    const pod = pods.find(({ pod_root: root }) => `${url}/`.startsWith(root));
    if (pod === undefined) continue;
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ pod, path: url.slice(pod.pod_root.length) });
    from = index + url.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}
