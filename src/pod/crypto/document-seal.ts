import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { IV_BYTES, openBytes, sealBytes } from '../../base/sealed-bytes.js';
import { decodeBase64 } from './base64.js';

/** What only whoever can unlock the Pod reads, and nobody else can make. */
export interface DocumentSeal {
  /** For the document at this address: nothing sealed for another can be put in its place. */
  seal(text: string, url: string): string;
  /** Null for what was not sealed so. */
  open(sealed: string, url: string): string | null;
  /** The same for the same text; says nothing of it without the key. */
  fingerprint(text: string): Buffer;
}

/** `purpose`: keys for different purposes have nothing to do with each other. */
export function createDocumentSeal(masterKey: Buffer, purpose: string): DocumentSeal {
  const derive = (what: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `bp-analyser/${purpose}/v1/${what}`, 32));
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
