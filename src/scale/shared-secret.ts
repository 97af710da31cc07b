import { randomUUID, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import { createLedgerSeal } from '../ledger/ledger-seal.js';

/** What the processes of one Analyser have in common, and nobody else who can read Redis. */
export type SharedSecret = Awaited<ReturnType<typeof deriveSharedSecret>>;

/** A security key is chosen by a person: guessing it from what lies in Redis has to be slow. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const stretch = promisify<string, string, number, object, Buffer>(scrypt);
/** The first part makes equal contents look different. */
const contentSchema = z.tuple([z.string(), z.string(), z.unknown()]);

export async function deriveSharedSecret(securityKey: string, analyserWebId: string) {
  const key = await stretch(securityKey, `bp-analyser/redis/${analyserWebId}`, 64, cost);
  const seal = createLedgerSeal(key);
  /** The same for the same text, in every process. */
  const nameOf = (text: string): string =>
    Buffer.from(seal.tag('place', text), 'latin1').toString('base64url');
  return {
    nameOf,
    /**
     * Before every key in Redis; tells one Analyser from another and names neither. In braces, all
     * keys of one lie together in a Redis cluster.
     */
    prefix: `{bp-analyser:${nameOf('prefix')}}`,
    /** For one purpose: nothing that was sealed for another can be put in its place. */
    seal: (value: unknown, purpose: string): string =>
      seal.seal(serialize([randomUUID(), purpose, value])).toString('base64'),
    /** Null for what was not sealed by one of us, for this purpose. */
    open<T>(schema: z.ZodType<T>, sealed: unknown, purpose: string): T | null {
      const bytes = seal.open(Buffer.from(typeof sealed === 'string' ? sealed : '', 'base64'));
      if (bytes === null) return null;
      const [, of, value] = contentSchema.parse(deserialize(bytes));
      return of === purpose ? schema.parse(value) : null;
    },
  };
}
