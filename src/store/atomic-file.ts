import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../base/errors.js';
import { diskError } from './disk-error.js';
import { makeFolder } from './make-folder.js';

/** Only names of this shape are ever cleaned up; the name of the file that was written stands in it. */
const temporaryName = /^\.(.+)\.[0-9a-f]{16}\.tmp$/;

/**
 * Whole or absent: a reader sees the old file or the new one, also after a crash or on a full disk.
 * Health data: for the owner and a group (that of the HTTP API's user), never for everybody.
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

/** Makes the rename itself survive a power cut; some file systems cannot, and lose nothing else by it. */
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
 * Removes what a killed process left half written. Only for the holder of the analysis lock:
 * for anyone else these may be the files that another process is writing right now.
 */
export async function cleanTemporaryFiles(folders: readonly string[]): Promise<void> {
  for (const folder of new Set(folders)) await clean(folder);
}

/** The same for one file. Only for the process that alone writes that file. */
export async function cleanTemporaryFilesOf(path: string): Promise<void> {
  await clean(dirname(path), (file) => file === basename(path));
}

async function clean(folder: string, isMeant: (file: string) => boolean = () => true) {
  for (const name of await listFolder(folder)) {
    const [, file] = temporaryName.exec(name) ?? [];
    if (file !== undefined && isMeant(file)) await removeFile(join(folder, name));
  }
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw diskError('remove', path, error);
  });
}

/** A folder that is not there yet is an empty one. */
export async function listFolder(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw diskError('list', folder, error);
  });
}
