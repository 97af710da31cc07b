import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../base/errors.js';
import { diskError } from './disk-error.js';

/** Only files with names of this form are ever cleaned up. The name contains the name of the file to be written. */
const temporaryName = /^\..+\.[0-9a-f]{16}\.tmp$/;

/**
 * Writes a file wholly or not at all: a reader sees the old file or the new one, even after a crash or on a full
 * disk. The files hold health data, so the owner and a group (that of the HTTP API's user) may read them, but nobody
 * else.
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

/**
 * Removes the half-written files of a killed process. Only the holder of the analysis lock may do this: without the
 * lock, another process may be writing these files right now.
 */
export async function cleanTemporaryFiles(folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) {
    for (const name of await listFolder(folder)) {
      if (temporaryName.test(name)) await removeFile(join(folder, name));
    }
  }
}

/** Returns whether there was a file. */
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
