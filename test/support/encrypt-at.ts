import { createCipheriv } from 'node:crypto';
import type { SealedContent } from '../../src/pod/crypto/content-cipher.js';

/** As `encryptContent` does, but under this IV, which the product never chooses. */
export function encryptAt(iv: Buffer, content: string | Buffer, key: Buffer): SealedContent {
  const plain = Buffer.from(content);
  const length = 16 - (plain.length % 16);
  const padded = Buffer.concat([plain, Buffer.alloc(length, length)]);
  const data = createCipheriv('aes-256-ctr', key, iv).update(padded);
  return { iv: iv.toString('base64'), data: data.toString('base64') };
}
