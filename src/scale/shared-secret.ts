import { randomUUID, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { createLedgerSeal } from '../ledger/ledger-seal.js';

/** What the processes of one Analyser have in common, and nobody else who can read Redis. */
export interface SharedSecret {
  /** Before every key in Redis; tells one Analyser from another and names neither. */
  prefix: string;
  /** The same for the same text, in every process. */
  nameOf(text: string): string;
  /** For one purpose: nothing that was sealed for another can be put in its place. */
  seal(value: unknown, purpose: string): string;
  /** Throws for what was not sealed by one of us, for this purpose. */
  open(sealed: unknown, purpose: string): unknown;
}

/** A security key is chosen by a person: guessing it from what lies in Redis has to be slow. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const stretch = promisify<string, string, number, object, Buffer>(scrypt);
/** The first part makes equal contents look different. */
const contentSchema = z.tuple([z.string(), z.string(), z.unknown()]);

export async function deriveSharedSecret(
  securityKey: string,
  analyserWebId: string,
): Promise<SharedSecret> {
  const key = await stretch(securityKey, `bp-analyser/redis/${analyserWebId}`, 64, cost);
  const seal = createLedgerSeal(key);
  const nameOf = (text: string) =>
    Buffer.from(seal.tag('place', text), 'latin1').toString('base64url');
  return {
    // In braces, all keys of one Analyser lie together in a Redis cluster.
    prefix: `{bp-analyser:${nameOf('prefix')}}`,
    nameOf,
    seal: (value, purpose) =>
      seal.seal(serialize([randomUUID(), purpose, value])).toString('base64'),
    open(sealed, purpose) {
      const bytes = seal.open(Buffer.from(typeof sealed === 'string' ? sealed : '', 'base64'));
      const [, of, value] = bytes === null ? [] : contentSchema.parse(deserialize(bytes));
      if (of === purpose) return value;
      const message = 'Redis holds something that no process of this service has put there.';
      throw new AnalyserError('redis', message);
    },
  };
}
