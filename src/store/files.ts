import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { AnalyserError, codeOf } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';

/** Only files with names of this form are ever cleaned up. The name contains the name of the file to be written. */
const temporaryName = /^\..+\.[0-9a-f]{16}\.tmp$/;

/**
 * A reader sees the old file or the new one, even after a crash or on a full disk. The files hold health data, so only
 * the owner and a group (that of the HTTP API's user) may read them.
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array,
  mode = 0o640,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await makeFolder(folder);
    try {
      const file = await open(temporary, 'wx', mode);
      try {
        await file.writeFile(data);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(folder);
  } catch (error) {
    throw diskError('write', path, error);
  }
}

/** At most the owner and a group may enter: the names of the files alone show who takes part. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
}

/** Makes the rename itself survive a power cut. Some file systems cannot do this; there the error is ignored. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
}

/** Only for the holder of the analysis lock: else another process may be writing these files. */
export async function cleanTemporaryFiles(folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) {
    for (const name of await listFolder(folder)) {
      if (temporaryName.test(name)) await removeFile(join(folder, name));
    }
  }
}

export async function removeFile(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw diskError('remove', path, error);
  }
}

/** The names in a folder; a folder that does not exist yet counts as empty. */
export async function listFolder(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw diskError('list', folder, error);
  });
}

/** Opens a file of this program to read it; null if there is none. */
export async function openStored(path: string): Promise<FileHandle | null> {
  // O_NONBLOCK: a pipe in place of the file must not block the reader. O_NOFOLLOW: this program wrote all files that
  // are read this way, and it writes no links. A link could lead to any file of this machine.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  return await open(path, flags).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP') return null;
    throw diskError('read', path, error);
  });
}

/** The content of the file at the path; null if there is no ordinary file. */
export async function readStored(path: string): Promise<Buffer | null> {
  const handle = await openStored(path);
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

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space, then try again.',
  EDQUOT: 'The disk quota is used up: free some space, then try again.',
  EROFS: 'The file system is read-only: mount it writable or choose another folder under output.',
  EACCES: 'Give the account of this service access to it, or choose another folder under output.',
  EPERM: 'Give the account of this service access to it, or choose another folder under output.',
  ENOTDIR: 'A part of the path is a file, not a folder: move it away.',
  EISDIR: 'It is a folder where a file should be: move it away.',
  ENOENT: 'It disappeared in the meantime: make sure that nothing else cleans up this folder.',
  ELOOP: 'It is a symbolic link: remove it, or name the folder that it leads to under output.',
  ENOLCK: 'This file system has no locks: choose a folder on another one under output.',
  EOPNOTSUPP: 'This file system has no locks: choose a folder on another one under output.',
  EMFILE: 'Too many files are open: raise the limit of open files for this service.',
};

/** `action` completes "could not": "write", "read", "list", "lock". */
export function diskError(action: string, path: string, cause: unknown): AnalyserError {
  if (cause instanceof AnalyserError) return cause;
  const code = codeOf(cause);
  const remedy =
    (code === null ? undefined : remedies[code]) ??
    `The system reported ${code ?? 'an unknown error'}.`;
  return new AnalyserError('disk', `Could not ${action} ${path}. ${remedy}`, { cause });
}
