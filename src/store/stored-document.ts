import type { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import type { StoredFile } from './stored-file.js';

export type StoredDocument<T> =
  /** There is no such file. */
  | { state: 'absent' }
  /** It does not match the schema of this version. */
  | { state: 'unreadable'; path: string; reason: string }
  | { state: 'found'; document: T };

export async function readDocument<T>(
  { path, read }: StoredFile,
  schema: z.ZodType<T>,
): Promise<StoredDocument<T>> {
  const value = parseJson(await read());
  if (value === undefined) return { state: 'unreadable', path, reason: 'not valid JSON' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { state: 'found', document: parsed.data };
  const [issue] = parsed.error.issues;
  const reason = `${issue?.path.join('.') || 'document'}: ${issue?.message ?? 'not valid'}`;
  return { state: 'unreadable', path, reason };
}
