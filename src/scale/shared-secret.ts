import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';

/** What the processes of one Analyser have in common, and nobody else who can read Redis. */
export interface SharedSecret {
  /** Before every key in Redis; tells one Analyser from another and names neither. */
  prefix: string;
  /** The same for the same text, in every process. */
  nameOf(text: string): string;
  /** For one purpose: nothing that was sealed for another can be put in its place. */
  seal(value: unknown, purpose: string): string;
  /** Throws for what was not sealed by one of us, for this purpose. */
  open(sealed: string, purpose: string): unknown;
}

/** A security key is chosen by a person: guessing it from what lies in Redis has to be slow. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export async function deriveSharedSecret(
  securityKey: string,
  analyserWebId: string,
): Promise<SharedSecret> {
  const material = await stretch(securityKey, `bp-analyser/redis/${analyserWebId}`);
  const sealingKey = material.subarray(0, 32);
  const namingKey = material.subarray(32);
  const nameOf = (text: string) =>
    createHmac('sha256', namingKey).update(text).digest('base64url').slice(0, 22);
  return {
    // In braces, all keys of one Analyser lie together in a Redis cluster.
    prefix: `{bp-analyser:${nameOf('prefix')}}`,
    nameOf,
    seal(value, purpose) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, sealingKey, iv).setAAD(Buffer.from(purpose));
      const text = [sealing.update(JSON.stringify(value), 'utf8'), sealing.final()];
      return Buffer.concat([iv, sealing.getAuthTag(), ...text]).toString('base64');
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64');
      const text = bytes.subarray(ivBytes + tagBytes);
      try {
        const opening = createDecipheriv(cipher, sealingKey, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        });
        opening.setAAD(Buffer.from(purpose));
        opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        const value: unknown = JSON.parse(
          Buffer.concat([opening.update(text), opening.final()]).toString(),
        );
        return value;
      } catch {
        throw new AnalyserError(
          'redis',
          'Redis holds something that no process of this service has put there.',
        );
      }
    },
  };
}

function stretch(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 64, cost, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
