import { readFile } from 'node:fs/promises';

/** Null for a file that does not exist or may not be read. */
export function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
