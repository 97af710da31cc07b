import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { codeOf } from '../base/errors.js';
import { diskError } from './disk-error.js';

export interface StoredFile {
  path: string;
  /** Changes whenever the file is replaced or rewritten. */
  identity: string;
  modified: Date;
  size: number;
  read(): Promise<Buffer>;
}

/**
 * Opens the file at the path and passes it to `use`. Its identity and content belong together even if the path gets
 * another file meanwhile. Null if there is no ordinary file at the path.
 */
export async function withFile<T>(
  path: string,
  use: (file: StoredFile) => T | Promise<T>,
): Promise<T | null> {
  // O_NONBLOCK: a pipe in place of the file must not block the reader. O_NOFOLLOW: this program wrote all files that
  // are read this way, and it writes no links. A link could lead to any file of this machine.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const handle = await open(path, flags).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP') return null;
    throw diskError('read', path, error);
  });
  if (handle === null) return null;
  const failed = (error: unknown): never => {
    throw diskError('read', path, error);
  };
  try {
    const stat = await handle.stat({ bigint: true });
    if (!stat.isFile()) return null;
    return await use({
      path,
      identity: [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join('-'),
      modified: stat.mtime,
      size: Number(stat.size),
      read: () => handle.readFile().catch(failed),
    });
  } finally {
    await handle.close();
  }
}
