import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { z } from 'zod';
import { codeOf } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { diskError } from './disk-error.js';

/** The content of the file at the path; null if there is no ordinary file. */
export async function readStored(path: string): Promise<Buffer | null> {
  // O_NONBLOCK: a pipe in place of the file must not block the reader. O_NOFOLLOW: this program wrote all files that
  // are read this way, and it writes no links. A link could lead to any file of this machine.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const handle = await open(path, flags).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP') return null;
    throw diskError('read', path, error);
  });
  if (handle === null) return null;
  try {
    return (await handle.stat()).isFile() ? await handle.readFile() : null;
  } catch (error) {
    throw diskError('read', path, error);
  } finally {
    await handle.close();
  }
}

export type StoredDocument<T> =
  /** There is no such file. */
  | { state: 'absent' }
  /** It does not match the schema of this version. */
  | { state: 'unreadable'; path: string; reason: string }
  | { state: 'found'; document: T };

export async function readDocument<T>(
  path: string,
  schema: z.ZodType<T>,
): Promise<StoredDocument<T>> {
  const content = await readStored(path);
  if (content === null) return { state: 'absent' };
  const value = parseJson(content);
  if (value === undefined) return { state: 'unreadable', path, reason: 'not valid JSON' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { state: 'found', document: parsed.data };
  const [issue] = parsed.error.issues;
  const reason = `${issue?.path.join('.') || 'document'}: ${issue?.message ?? 'not valid'}`;
  return { state: 'unreadable', path, reason };
}
