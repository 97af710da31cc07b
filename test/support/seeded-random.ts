import { createCipheriv, createHash } from 'node:crypto';
import type { RandomBytes } from '../../src/analysis/release/discrete-laplace.js';

const BLOCK = 65_536;

/** Bytes that look random and are the same at every call with the same seed. */
export function seededRandom(seed: string): RandomBytes {
  const key = createHash('sha256').update(seed).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  let block = Buffer.alloc(0);
  return (length) => {
    if (block.length < length) block = stream.update(Buffer.alloc(BLOCK));
    const bytes = block.subarray(0, length);
    block = block.subarray(length);
    return bytes;
  };
}
