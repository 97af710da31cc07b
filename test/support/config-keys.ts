import { z } from 'zod';
import { configSchema } from '../../src/config/schema.js';

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
export function listKeys(schema: unknown = configSchema, path: readonly string[] = []): string[][] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [[...path]];
  return Object.entries(inner.shape).flatMap(([name, value]) => listKeys(value, [...path, name]));
}
