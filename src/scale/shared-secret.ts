import { randomUUID, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import { createLedgerSeal } from '../ledger/ledger-seal.js';

/** A secret that all processes of one Analyser have, and others who can read Redis do not. */
export type SharedSecret = Awaited<ReturnType<typeof deriveSharedSecret>>;

/** Slow on purpose: people choose security keys, which could be guessed from data in Redis. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const stretch = promisify<string, string, number, object, Buffer>(scrypt);
/** The first element is random, so that equal contents look different. */
const contentSchema = z.tuple([z.string(), z.string(), z.unknown()]);

export async function deriveSharedSecret(securityKey: string, analyserWebId: string) {
  const key = await stretch(securityKey, `bp-analyser/redis/${analyserWebId}`, 64, cost);
  const seal = createLedgerSeal(key);
  /** Equal for equal texts in every process. */
  const nameOf = (text: string): string =>
    Buffer.from(seal.tag('place', text), 'latin1').toString('base64url');
  return {
    nameOf,
    /**
     * The prefix of every key in Redis, which tells Analysers apart without naming them. The braces
     * keep all keys of one Analyser together in a Redis cluster.
     */
    prefix: `{bp-analyser:${nameOf('prefix')}}`,
    /** Bound to the purpose: a value sealed for another purpose does not open. */
    seal: (value: unknown, purpose: string): string =>
      seal.seal(serialize([randomUUID(), purpose, value])).toString('base64'),
    /** Null for a value that no process of this Analyser sealed for this purpose. */
    open<T>(schema: z.ZodType<T>, sealed: unknown, purpose: string): T | null {
      const bytes = seal.open(Buffer.from(typeof sealed === 'string' ? sealed : '', 'base64'));
      if (bytes === null) return null;
      const [, of, value] = contentSchema.parse(deserialize(bytes));
      return of === purpose ? schema.parse(value) : null;
    },
  };
}
