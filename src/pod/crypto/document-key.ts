import { hkdfSync, type KeyObject } from 'node:crypto';

const SALT = 'bp-analyser';
const INFO = 'bp-analyser/document/v1';

/**
 * Derives a document's key from the Pod's key pair and the document's path below the root. The key is stored nowhere,
 * so it cannot get lost. It outlasts a new name of the server. It also outlasts a new security key, because that does
 * not change the pair.
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
