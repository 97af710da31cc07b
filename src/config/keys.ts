import { z } from 'zod';
import { secretMarks } from './values.js';

/** The keys of a section, with wrappers such as defaults removed; undefined for a single value. */
function sectionShape(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  const isWrapper =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable;
  return isWrapper ? unwrap(schema.unwrap()) : schema;
}

/** Every key with a value of its own, as a path of names: the sections around it, then the key. */
export function listKeys(schema: unknown, path: readonly string[] = []): string[][] {
  const shape = sectionShape(schema);
  if (shape === undefined) return [[...path]];
  return Object.entries(shape).flatMap(([name, value]) => listKeys(value, [...path, name]));
}

/** The part of the schema for a key or a section; for an unknown key, that of the nearest section around it. */
export function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  const [first, ...rest] = path;
  const inner = first === undefined ? undefined : sectionShape(schema)?.[String(first)];
  return inner === undefined ? schema : schemaAt(inner, rest);
}

export interface SecretKey {
  path: readonly string[];
  /** The environment variable that wins over the key. */
  variable: string;
  rules: z.ZodType;
}

/** The keys that hold secrets, of a whole schema or of a part of it. */
export function listSecretKeys(schema: unknown): SecretKey[] {
  return listKeys(schema).flatMap((path) => {
    const rules = unwrap(schemaAt(schema, path));
    if (!(rules instanceof z.ZodType)) return [];
    const mark = secretMarks.get(rules);
    return mark === undefined ? [] : [{ path, rules, ...mark }];
  });
}
