import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
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

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `purpose`: keys for different purposes have nothing to do with each other. */
export function createDocumentSeal(masterKey: Buffer, purpose: string): DocumentSeal {
  const derive = (what: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `bp-analyser/${purpose}/v1/${what}`, 32));
  const [sealingKey, fingerprintKey] = [derive('seal'), derive('fingerprint')];
  return {
    seal(text, url) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, iv).setAAD(Buffer.from(url));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(sealed, url) {
      const bytes = decodeBase64(sealed);
      if (bytes === null || bytes.length < IV_BYTES + TAG_BYTES) return null;
      const opening = createDecipheriv(CIPHER, sealingKey, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      opening.setAAD(Buffer.from(url));
      opening.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = opening.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([text, opening.final()]).toString();
      } catch {
        return null;
      }
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
  };
}
