import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { decodeBase64 } from './content-cipher.js';

const SALT = 'bp-analyser';
const INFO = 'bp-analyser/document/v1';

/**
 * The key is stored nowhere, so it cannot get lost. It outlasts a new name of the server and a new security key, since
 * neither changes the Pod's key pair or the path below its root.
 */
export function deriveDocumentKey(privateKey: KeyObject, path: string): Buffer {
  const primes = primesOf(privateKey);
  const key = hkdfSync('sha256', Buffer.concat(primes), SALT, `${INFO}\0${path}`, 32);
  for (const prime of primes) prime.fill(0);
  return Buffer.from(key);
}

/**
 * Both primes, the smaller first, in a length that does not depend on the stored form of the key. Node 20 can hang in
 * the export as JWK, but only of a key that was generated in this process; the keys of a Pod are read from a text.
 */
function primesOf(privateKey: KeyObject): Buffer[] {
  const { n = '', p = '', q = '' } = privateKey.export({ format: 'jwk' });
  const length = Buffer.byteLength(n, 'base64url');
  return [p, q]
    .map((text) => {
      const prime = Buffer.from(text, 'base64url');
      return Buffer.concat([Buffer.alloc(length - prime.length), prime]);
    })
    .sort((one, other) => Buffer.compare(one, other));
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = IV_BYTES + TAG_BYTES;

/** Returns IV, tag and ciphertext; `about` is authenticated and needed again to open it. */
function sealBytes(bytes: string | Uint8Array, key: Buffer, about: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about));
  const sealed = [cipher.update(Buffer.from(bytes)), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
}

function openBytes(sealed: Uint8Array, key: Buffer, about: string): Buffer | null {
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

/**
 * Seals contents so that only a process that has the key can read or make them. `about` is the address or the purpose of
 * a content, which opens for no other. Keeps keys that are derived from this one, but not the key itself.
 */
export function createDocumentSeal(key: Buffer) {
  const derive = (what: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `bp-analyser/document/v1/${what}`, 32));
  const [sealingKey, fingerprintKey] = [derive('seal'), derive('fingerprint')];
  return {
    seal: (content: string | Uint8Array, about: string) =>
      sealBytes(content, sealingKey, about).toString('base64'),
    open(sealed: string, about: string): Buffer | null {
      const bytes = decodeBase64(sealed);
      return bytes === null ? null : openBytes(bytes, sealingKey, about);
    },
    /** Equal for equal texts; reveals nothing without the key. */
    fingerprint: (text: string) => createHmac('sha256', fingerprintKey).update(text).digest(),
    dispose() {
      for (const derived of [sealingKey, fingerprintKey]) derived.fill(0);
    },
  };
}
