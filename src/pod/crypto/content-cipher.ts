import crypto, { createCipheriv, createDecipheriv } from 'node:crypto';
import { decodeBase64 } from './base64.js';

const BLOCK = 16;

/** Base64, as the documents hold them. */
export interface SealedContent {
  iv: string;
  data: string;
}

/** An argument only so that the vectors can be held against it. */
export interface RandomSource {
  randomBytes(length: number): Buffer;
}

/**
 * AES-256 in counter mode over PKCS#7 padded content. The IV is drawn here and nowhere else:
 * a resource keeps its key for life, so a repeated IV would give the content away.
 */
export function encryptContent(
  content: string | Uint8Array,
  key: Uint8Array,
  random: RandomSource = crypto,
): SealedContent {
  const iv = random.randomBytes(BLOCK);
  const plain = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const length = BLOCK - (plain.length % BLOCK);
  const padded = Buffer.concat([plain, Buffer.alloc(length, length)]);
  const data = createCipheriv('aes-256-ctr', key, iv).update(padded);
  return { iv: iv.toString('base64'), data: data.toString('base64') };
}

/** Null for anything that does not open, whatever the reason. */
export function decryptContent(sealed: SealedContent, key: Uint8Array): Buffer | null {
  const iv = decodeBase64(sealed.iv);
  const data = decodeBase64(sealed.data);
  if (iv?.length !== BLOCK || data === null || key.length !== 32) return null;
  if (data.length === 0 || data.length % BLOCK !== 0) return null;
  return removePadding(createDecipheriv('aes-256-ctr', key, iv).update(data));
}

export function removePadding(padded: Buffer): Buffer | null {
  const length = padded.at(-1) ?? 0;
  if (length < 1 || length > BLOCK || length > padded.length) return null;
  const start = padded.length - length;
  return padded.subarray(start).every((byte) => byte === length) ? padded.subarray(0, start) : null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null when the bytes are no UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
