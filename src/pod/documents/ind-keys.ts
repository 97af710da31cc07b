import { AnalyserError } from '../../base/errors.js';
import type { Triple } from '../../solid/documents/sparql-update.js';
import type { TurtleDocument } from '../../solid/documents/turtle-document.js';
import { decryptContent, encryptContent } from '../crypto/content-cipher.js';
import { readResourceKey } from '../crypto/resource-key.js';
import { canonicalResource } from '../resource-address.js';
import { vocabulary as v } from '../vocabulary.js';
import { malformed } from './single-value.js';
import { text, writeTurtle } from './write-turtle.js';

/** encryption/ind-keys.ttl holds the keys of the Pod's resources, encrypted with the master key. */
export function buildEmptyIndKeys(url: string): string {
  return writeTurtle([text(url, v.title, 'Individual Encryption Keys')]);
}

/** One entry. `root` is that of the Pod, because the app writes paths relative to it. */
export function buildIndKeyEntry(
  resource: string,
  root: string,
  key: Buffer,
  masterKey: Uint8Array,
): Triple[] {
  const sealed = encryptContent(key.toString('base64'), masterKey);
  return [
    text(resource, v.path, resource.slice(root.length)),
    text(resource, v.iv, sealed.iv),
    text(resource, v.sessionKey, sealed.data),
  ];
}

/** Maps the canonical address of each resource to the subjects that name the resource, in every spelling. */
export function indexSubjects(document: TurtleDocument): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const subject of document.subjects()) {
    const resource = canonicalResource(subject);
    if (resource === null) continue;
    const spellings = index.get(resource);
    if (spellings) spellings.push(subject);
    else index.set(resource, [subject]);
  }
  return index;
}

/** Whether the resource has several keys, from two writers at the same time. */
export function hasSeveralKeys(document: TurtleDocument, subjects: readonly string[]): boolean {
  return subjects.flatMap((subject) => document.literals(subject, v.sessionKey)).length > 1;
}

/**
 * Null when the resource has no key yet. Throws for a broken entry: a second key beside it would lock out
 * everybody who holds the first.
 */
export function openIndKey(
  document: TurtleDocument,
  subjects: readonly string[],
  masterKey: Uint8Array,
): Buffer | null {
  const values = (predicate: string) =>
    subjects.flatMap((subject) => document.literals(subject, predicate));
  const ivs = values(v.iv);
  const keys = values(v.sessionKey);
  const [iv] = ivs;
  const [data] = keys;
  if (iv === undefined && data === undefined) return null;
  if (iv === undefined || data === undefined || ivs.length > 1 || keys.length > 1) {
    throw malformed(document.url, `its entry for ${subjects[0]} does not hold exactly one key`);
  }
  const key = readResourceKey(decryptContent({ iv, data }, masterKey));
  if (key === null) throw malformed(document.url, `the key of ${subjects[0]} does not open`);
  return key;
}

/** Whether the entry holds what `buildIndKeyEntry` writes: this path and this key, and no second value of either. */
export function holdsIndKey(
  document: TurtleDocument,
  subjects: readonly string[],
  { path, key, masterKey }: { path: string; key: Buffer; masterKey: Uint8Array },
): boolean {
  const values = [v.path, v.iv, v.sessionKey].map((predicate) =>
    subjects.flatMap((subject) => [
      ...document.literals(subject, predicate),
      ...document.links(subject, predicate),
    ]),
  );
  if (values.some((all) => all.length !== 1) || values[0]?.[0] !== path) return false;
  return storedIndKey(document, subjects, masterKey)?.equals(key) === true;
}

/** The key of a resource that has exactly one key, if that opens; else null. */
export function storedIndKey(
  document: TurtleDocument,
  subjects: readonly string[],
  masterKey: Uint8Array,
): Buffer | null {
  try {
    return openIndKey(document, subjects, masterKey);
  } catch (error) {
    if (error instanceof AnalyserError) return null;
    throw error;
  }
}
