import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import type { z } from 'zod';
import { createDocumentSeal } from '../pod/crypto/document-key.js';

/** A secret of all processes of one Analyser, which other readers of Redis do not have. */
export type SharedSecret = Awaited<ReturnType<typeof deriveSharedSecret>>;

const NAME_BYTES = 16;
/** Slow on purpose: people choose security keys, so somebody could try guesses against data in Redis. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const stretch = promisify<string, string, number, object, Buffer>(scrypt);

export async function deriveSharedSecret(securityKey: string, analyserWebId: string) {
  const key = await stretch(securityKey, `bp-analyser/redis/${analyserWebId}`, 64, cost);
  const seal = createDocumentSeal(key);
  const nameOf = (text: string): string =>
    seal.fingerprint(text).subarray(0, NAME_BYTES).toString('base64url');
  return {
    nameOf,
    /**
     * The prefix of every key in Redis, which tells Analysers apart without naming them. The braces
     * keep all keys of one Analyser together in a Redis cluster.
     */
    prefix: `{bp-analyser:${nameOf('prefix')}}`,
    /** Bound to the purpose: a value sealed for another purpose does not open. */
    seal: (value: unknown, purpose: string): string => seal.seal(serialize(value), purpose),
    /** Null for a value that no process of this Analyser sealed for this purpose. */
    open<T>(schema: z.ZodType<T>, sealed: unknown, purpose: string): T | null {
      const bytes = typeof sealed === 'string' ? seal.open(sealed, purpose) : null;
      return bytes === null ? null : schema.parse(deserialize(bytes));
    },
  };
}
