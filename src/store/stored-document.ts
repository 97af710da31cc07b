import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import type { StoredFile } from './stored-file.js';

export type StoredDocument<T> =
  /** There is no such file. */
  | { state: 'absent' }
  | { state: 'damaged'; path: string; reason: string }
  /** Written by a later version with another schema_version. */
  | { state: 'newer'; path: string; schemaVersion: number }
  | { state: 'found'; document: T };

const versionSchema = z.object({ schema_version: z.number() });

/** Far above the document of a hundred thousand Pods. */
const maxBytes = 256 * 1024 * 1024;

export async function readDocument<T>(
  file: StoredFile,
  schema: z.ZodType<T>,
): Promise<StoredDocument<T>> {
  const { path } = file;
  const value = await readJson(file);
  if (value === undefined) {
    const reason = file.size > maxBytes ? `larger than ${maxBytes} bytes` : 'not valid JSON';
    return { state: 'damaged', path, reason };
  }
  const schemaVersion = versionSchema.safeParse(value).data?.schema_version ?? 1;
  if (schemaVersion > 1) return { state: 'newer', path, schemaVersion };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { state: 'found', document: parsed.data };
  const [issue] = parsed.error.issues;
  const reason = `${issue?.path.join('.') || 'document'}: ${issue?.message ?? 'not valid'}`;
  return { state: 'damaged', path, reason };
}

/** The parsed file; undefined if it is not JSON or too large. */
export async function readJson(file: StoredFile): Promise<unknown> {
  return file.size > maxBytes ? undefined : parseJson(await file.read());
}
