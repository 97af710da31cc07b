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

/** Both primes, the smaller first, in a length that does not depend on the stored form of the key. */
function primesOf(privateKey: KeyObject): Buffer[] {
  const der = privateKey.export({ type: 'pkcs1', format: 'der' });
  const [, modulus = Buffer.alloc(0), , , ...factors] = integersOf(der);
  const [one = modulus, other = modulus] = factors.map((factor) => {
    const padded = Buffer.alloc(modulus.length);
    factor.copy(padded, padded.length - factor.length);
    return padded;
  });
  der.fill(0);
  return [one, other].sort((a, b) => Buffer.compare(a, b));
}

/** The numbers of an RSAPrivateKey in DER: version, modulus, exponents, the two primes, and more. */
function integersOf(der: Buffer): Buffer[] {
  const integers: Buffer[] = [];
  let at = lengthAt(der, 1).start;
  while (at < der.length) {
    const { start, length } = lengthAt(der, at + 1);
    const value = der.subarray(start, start + length);
    integers.push(value[0] === 0 && length > 1 ? value.subarray(1) : value);
    at = start + length;
  }
  return integers;
}

function lengthAt(der: Buffer, at: number): { start: number; length: number } {
  const first = der[at] ?? 0;
  if (first < 0x80) return { start: at + 1, length: first };
  const bytes = first & 0x7f;
  return { start: at + 1 + bytes, length: der.readUIntBE(at + 1, bytes) };
}
