import type { z } from 'zod';
import { secretKeys } from '../base/secret-keys.js';
import type { ParsedFile } from './config-file.js';
import { nearestKey } from './nearest-key.js';

/** One line for each problem: the place, the key and what was expected. */
export function describeIssues(file: ParsedFile, schema: z.ZodType, error: z.ZodError): string[] {
  const lines = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => describeUnknownKey(file, schema, issue.path, name))
      : [describeProblem(file, issue.path, phraseOf(issue), valueAt(file.value, issue.path))],
  );
  return [...new Set(lines)];
}

export function describeProblem(
  file: ParsedFile,
  path: readonly PropertyKey[],
  expected: string,
  value: unknown,
): string {
  const key = path.map(String).join('.');
  const named = key === '' ? '' : ` ${key}:`;
  return `${file.locate(path)}:${named} expected ${expected}, got ${describeValue(key, value)}.`;
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
  // The name may hold a secret, as in `token:abc` without the space, or one without quotes.
  const value = valueAt(file.value, [...path, name]);
  const mayBeSecret = value === undefined || section === 'analyser.credentials';
  if (!/^\w{1,60}$/.test(name) || (near === undefined && mayBeSecret)) {
    return `${where}: expected a known key, with ": " and a value after it.`;
  }
  const hint = near === undefined ? 'see config.example.yaml' : `did you mean ${near}?`;
  return `${where}: ${section === '' ? name : `${section}.${name}`}: expected a known key; ${hint}`;
}

/** Schemas of values bring their own phrase; only sections use the library's wording. */
function phraseOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' && issue.expected === 'object'
    ? 'a section with keys of its own'
    : issue.message;
}

/** What the file says at a path; undefined when it says nothing. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = Object.getOwnPropertyDescriptor(inner, key)?.value;
  }
  return inner;
}

function describeValue(key: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'a blank';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a section';
  if (mayHoldSecret(key)) return `a ${typeof value}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.includes('@')) return 'text with "@" in it, as of an address with a user name';
  // The next line of the file, with a secret in it, where a colon lacks its blank.
  if (secretKeys.some((secret) => value.includes(secret))) return 'text with another key in it';
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

/** Also in place of a section that has such keys stands a secret, if one forgets to name it. */
function mayHoldSecret(key: string): boolean {
  const sections = [
    '',
    'analyser',
    'analyser.credentials',
    'credentials',
    'account',
    'grpc',
    'scale',
  ];
  return sections.includes(key) || secretKeys.some((secret) => key.split('.').includes(secret));
}
