import crypto, { createCipheriv, createDecipheriv } from 'node:crypto';
import { decodeBase64 } from './base64.js';

const BLOCK = 16;
const KEY = 32;

/** Base64, as the documents hold them. */
export interface SealedContent {
  iv: string;
  data: string;
}

/** A parameter so that tests can use the IVs of the published vectors. */
export interface RandomSource {
  randomBytes(length: number): Buffer;
}

/**
 * AES-256 in counter mode over PKCS#7 padded content. Only this function draws the IV: a resource
 * keeps its key for life, so a repeated IV would give the content away.
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

/** Content decoded from base64 once, however many keys are tried on it. */
export interface Ciphertext {
  iv: Buffer;
  data: Buffer;
  /** The counter of the last block. */
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

/**
 * Checks the padding in the last block, which takes the same time for any length. One wrong key
 * in 256 passes.
 */
export function couldOpen({ data, lastCounter }: Ciphertext, key: Uint8Array): boolean {
  if (key.length !== KEY) return false;
  const cipher = createDecipheriv('aes-256-ctr', key, lastCounter);
  return removePadding(cipher.update(data.subarray(-BLOCK))) !== null;
}

/** Null for anything that does not open, without saying why. */
export function decryptContent(sealed: SealedContent, key: Uint8Array): Buffer | null {
  const ciphertext = decodeContent(sealed);
  if (ciphertext === null || !couldOpen(ciphertext, key)) return null;
  const { iv, data } = ciphertext;
  return removePadding(createDecipheriv('aes-256-ctr', key, iv).update(data));
}

const PIECE = 65_536;

/** For a key that passed `couldOpen`. A wrong one shows in the first piece, however long the rest. */
export function* decryptPieces({ iv, data }: Ciphertext, key: Uint8Array): Generator<Buffer> {
  const cipher = createDecipheriv('aes-256-ctr', key, iv);
  for (let start = 0; start < data.length; start += PIECE) {
    const piece = cipher.update(data.subarray(start, start + PIECE));
    const isLast = start + PIECE >= data.length;
    yield isLast ? (removePadding(piece) ?? piece) : piece;
  }
}

export function* cutIntoPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE) {
    yield bytes.subarray(start, start + PIECE);
  }
}

/** Ends with null when the bytes are no UTF-8. A byte order mark is left out. */
export function* decodePieces(pieces: Iterable<Uint8Array>): Generator<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      return null;
    }
  };
  for (const piece of pieces) {
    const text = decode(piece);
    yield text;
    if (text === null) return;
  }
  yield decode();
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

/** Null when the bytes are no UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
