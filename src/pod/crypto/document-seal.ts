import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { IV_BYTES, openBytes, sealBytes } from '../../base/sealed-bytes.js';
import { decodeBase64 } from './base64.js';

/** Seals contents so that only a process that has the key can read or make them. */
export interface DocumentSeal {
  /** Bound to its address or purpose, so that what was sealed for another does not open here. */
  seal(content: string | Uint8Array, about: string): string;
  /** Null for what was not sealed with this key for this address or purpose. */
  open(sealed: string, about: string): Buffer | null;
  /** Equal for equal texts; reveals nothing without the key. */
  fingerprint: (text: string) => Buffer;
}

export function createDocumentSeal(key: Buffer): DocumentSeal {
  const derive = (what: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `bp-analyser/document/v1/${what}`, 32));
  const [sealingKey, fingerprintKey] = [derive('seal'), derive('fingerprint')];
  return {
    seal: (content, about) =>
      sealBytes(content, sealingKey, randomBytes(IV_BYTES), about).toString('base64'),
    open(sealed, about) {
      const bytes = decodeBase64(sealed);
      return bytes === null ? null : openBytes(bytes, sealingKey, about);
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
  };
}
