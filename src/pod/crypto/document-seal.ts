import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { IV_BYTES, openBytes, sealBytes } from '../../base/sealed-bytes.js';
import { decodeBase64 } from './base64.js';

/** Seals texts so that only a process that has the key can read or make them. */
export interface DocumentSeal {
  /** Bound to the address, so that a text sealed for another document does not open here. */
  seal(text: string, url: string): string;
  /** Null for a text that was not sealed with this key for this address. */
  open(sealed: string, url: string): string | null;
  /** Equal for equal texts; reveals nothing without the key. */
  fingerprint: (text: string) => Buffer;
}

export function createDocumentSeal(key: Buffer): DocumentSeal {
  const derive = (what: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `bp-analyser/document/v1/${what}`, 32));
  const [sealingKey, fingerprintKey] = [derive('seal'), derive('fingerprint')];
  return {
    seal: (text, url) => sealBytes(text, sealingKey, randomBytes(IV_BYTES), url).toString('base64'),
    open(sealed, url) {
      const bytes = decodeBase64(sealed);
      return bytes === null ? null : (openBytes(bytes, sealingKey, url)?.toString() ?? null);
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
  };
}
