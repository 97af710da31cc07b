import type { z } from 'zod';
import type { ParsedFile } from './config-file.js';
import { listKeys, listSecretKeys, schemaAt } from './keys.js';

/** One line for each problem: the place, the key and what was expected. */
export function describeIssues(file: ParsedFile, schema: z.ZodType, error: z.ZodError): string[] {
  const lines = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => describeUnknownKey(file, schema, issue.path, name))
      : [describeProblem(file, schema, issue.path, phraseOf(issue))],
  );
  return [...new Set(lines)];
}

export function describeProblem(
  file: ParsedFile,
  schema: z.ZodType,
  path: readonly PropertyKey[],
  expected: string,
): string {
  const key = path.map(String).join('.');
  const named = key === '' ? '' : ` ${key}:`;
  const got = describeValue(valueAt(file.value, path), schema, path);
  return `${file.locate(path)}:${named} expected ${expected}, got ${got}.`;
}

function describeUnknownKey(
  file: ParsedFile,
  schema: z.ZodType,
  path: readonly PropertyKey[],
  name: string,
): string {
  const where = file.locate([...path, name]);
  const section = path.map(String).join('.');
  const near = nearestKey(schema, section, name);
  // The name may hold a secret: the space after the colon may be missing (`token:abc`), or a secret that is not in quotes
  // may contain a colon itself (of `a long: b`, YAML takes `a long` as a key).
  const value = valueAt(file.value, [...path, name]);
  const known = schemaAt(schema, path);
  const isOfSecrets = listKeys(known).length === listSecretKeys(known).length;
  const mayBeSecret = value === undefined || isOfSecrets;
  if (!/^\w{1,60}$/.test(name) || (near === undefined && mayBeSecret)) {
    return `${where}: expected a known key, with ": " and a value after it.`;
  }
  const hint = near === undefined ? 'see config.example.yaml' : `did you mean ${near}?`;
  return `${where}: ${section === '' ? name : `${section}.${name}`}: expected a known key; ${hint}`;
}

/** Says what was expected. The schema has the words for single values; the words for a section are here. */
function phraseOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' && issue.expected === 'object'
    ? 'a section with keys of its own'
    : issue.message;
}

/** The value in the file at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = Object.getOwnPropertyDescriptor(inner, key)?.value;
  }
  return inner;
}

function describeValue(value: unknown, schema: z.ZodType, path: readonly PropertyKey[]): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'a blank';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a section';
  // If the file has a value in place of a section with secrets, the value may be a secret whose key was forgotten, so
  // it is not shown.
  if (listSecretKeys(schemaAt(schema, path)).length > 0) return `a ${typeof value}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.includes('@')) return 'text with "@" in it, as of an address with a user name';
  // YAML takes the next line of the file as part of this value if the space after the colon is missing there. So the
  // value may contain a secret.
  const names = listSecretKeys(schema).map((secret) => secret.path.at(-1) ?? '');
  if (names.some((name) => value.includes(name))) return 'text with another key in it';
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

/** The known key with the most similar spelling, which was probably meant; keys of the same section are preferred. */
export function nearestKey(schema: unknown, section: string, name: string): string | undefined {
  const known = listKeys(schema);
  const names = new Set(
    known.flatMap((path) => path.map((_, end) => path.slice(0, end + 1).join('.'))),
  );
  let best: { key: string; distance: number } | undefined;
  for (const key of names) {
    const at = key.lastIndexOf('.');
    const last = key.slice(at + 1);
    const here = key.slice(0, Math.max(at, 0)) === section;
    const distance = editDistance(name, last) + (here ? 0 : 1);
    const allowed = Math.max(here ? 2 : 1, Math.floor(last.length / 3));
    if (distance <= allowed && (best === undefined || distance < best.distance)) {
      best = { key, distance };
    }
  }
  return best?.key;
}

/** The Levenshtein distance: how many letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
