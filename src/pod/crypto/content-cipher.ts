import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const SHAPE = /^[A-Za-z0-9+/]*={0,2}$/;

/** Null for invalid text, whose wrong characters Buffer.from would skip. */
export function decodeBase64(text: string): Buffer | null {
  const trimmed = text.trim();
  if (trimmed.length % 4 !== 0 || !SHAPE.test(trimmed)) return null;
  return Buffer.from(trimmed, 'base64');
}

const BLOCK = 16;
const KEY = 32;

/** Both are base64, as the documents hold them. */
export interface SealedContent {
  iv: string;
  data: string;
}

/** No caller gives the IV: a resource keeps its key for life, so a repeated IV would give the content away. */
export function encryptContent(content: string | Uint8Array, key: Uint8Array): SealedContent {
  const iv = randomBytes(BLOCK);
  const plain = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const length = BLOCK - (plain.length % BLOCK);
  const padded = Buffer.concat([plain, Buffer.alloc(length, length)]);
  const data = createCipheriv('aes-256-ctr', key, iv).update(padded);
  return { iv: iv.toString('base64'), data: data.toString('base64') };
}

/** Content decoded from base64 once, however many keys are tried on it. */
interface Ciphertext {
  iv: Buffer;
  data: Buffer;
  lastCounter: Buffer;
}

/** Null for content that no key can open. */
export function decodeContent(sealed: SealedContent): Ciphertext | null {
  const iv = decodeBase64(sealed.iv);
  const data = decodeBase64(sealed.data);
  if (iv?.length !== BLOCK || data === null) return null;
  if (data.length === 0 || data.length % BLOCK !== 0) return null;
  return { iv, data, lastCounter: addToCounter(iv, data.length / BLOCK - 1) };
}

/** Judges a key by two blocks, so that a long text takes no longer; fewer than one wrong key in a million passes. */
export function couldOpen({ iv, data, lastCounter }: Ciphertext, key: Uint8Array): boolean {
  if (key.length !== KEY) return false;
  if (removePadding(decipher(data.subarray(-BLOCK), key, lastCounter)) === null) return false;
  return beginsText(decipher(data.subarray(0, BLOCK), key, iv));
}

/** Null for anything that does not open, without saying why. */
export function decryptContent(sealed: SealedContent, key: Uint8Array): Buffer | null {
  const ciphertext = decodeContent(sealed);
  return ciphertext && openContent(ciphertext, key);
}

export function openContent({ iv, data }: Ciphertext, key: Uint8Array): Buffer | null {
  return key.length === KEY ? removePadding(decipher(data, key, iv)) : null;
}

function decipher(data: Buffer, key: Uint8Array, counter: Buffer): Buffer {
  return createDecipheriv('aes-256-ctr', key, counter).update(data);
}

/** The counter is one big-endian number of 128 bits. */
function addToCounter(iv: Buffer, blocks: number): Buffer {
  const sum = (BigInt(`0x${iv.toString('hex')}`) + BigInt(blocks)) % 2n ** 128n;
  return Buffer.from(sum.toString(16).padStart(2 * BLOCK, '0'), 'hex');
}

export function removePadding(padded: Buffer): Buffer | null {
  const length = padded.at(-1) ?? 0;
  if (length < 1 || length > BLOCK || length > padded.length) return null;
  const start = padded.length - length;
  return padded.subarray(start).every((byte) => byte === length) ? padded.subarray(0, start) : null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null when the bytes are not UTF-8. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Whether the bytes are UTF-8; the last character may be cut off. */
function beginsText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const LENGTH = 32;

export function createResourceKey(): Buffer {
  return randomBytes(LENGTH);
}

/** In ind-keys.ttl and in share entries a key is the base64 text of its 32 bytes. */
export function readResourceKey(text: Buffer | null): Buffer | null {
  const key = text === null ? null : decodeBase64(text.toString('latin1'));
  return key?.length === LENGTH ? key : null;
}
