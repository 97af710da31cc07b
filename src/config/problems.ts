import type { z } from 'zod';
import type { ParsedFile } from './config-file.js';
import { nearestKey } from './nearest-key.js';

/** Keys whose values are never shown, even when a section stands in their place. */
const secretKeys = [
  'analyser.security_key',
  'analyser.credentials.client_id',
  'analyser.credentials.client_secret',
  'grpc.token',
  // Keys of the settings of the app modes.
  'security_key',
  'credentials.client_id',
  'credentials.client_secret',
  'account.password',
];

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
  const hidden = secretKeys.some((secret) => secret === key || secret.startsWith(`${key}.`));
  if (hidden || key === '') return `a ${typeof value}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/\/\/[^/]*@/.test(value)) return 'an address with a user name in it';
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
