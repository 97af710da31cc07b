import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = IV_BYTES + TAG_BYTES;

/** Returns IV, tag and ciphertext; `about` is authenticated and needed again to open it. */
export function sealBytes(
  bytes: string | Uint8Array,
  key: Buffer,
  iv: Uint8Array,
  about = '',
): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(Buffer.from(bytes)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Null when the bytes were not sealed with this key and this `about`. */
export function openBytes(sealed: Uint8Array, key: Buffer, about = ''): Buffer | null {
  if (sealed.length < HEAD_BYTES) return null;
  const iv = sealed.subarray(0, IV_BYTES);
  const opening = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  opening.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(IV_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([opening.update(sealed.subarray(HEAD_BYTES)), opening.final()]);
  } catch {
    return null;
  }
}
