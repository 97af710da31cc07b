import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnalyserError, codeOf } from '../base/errors.js';
import { makeFolder } from './make-folder.js';
import { withFile } from './stored-file.js';

const BYTES = 32;

/** Reads the key that makes names in place of addresses (api.names). Makes a new key if there is none yet. */
export async function openNameKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'names.key');
  const found = await readKey(path);
  if (found !== null) return found;
  await makeKey(stateDir, path);
  return await openNameKey(stateDir);
}

/** Two processes that make a key at the same time end up with the same key. */
async function makeKey(stateDir: string, path: string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await makeFolder(stateDir);
    await writeFile(temporary, `${randomBytes(BYTES).toString('hex')}\n`, {
      flag: 'wx',
      // The same mode as for the results, so that the HTTP API can read the file by its group.
      mode: 0o640,
    });
    await link(temporary, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } catch (cause) {
    throw new AnalyserError(
      'disk',
      `Could not make ${path}, the key of the names in place of addresses (api.names): run bp-analyser names once, under the account of the service.`,
      { cause },
    );
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

async function readKey(path: string): Promise<Buffer | null> {
  const text = await withFile(path, async (file) => (await file.read()).toString('latin1'));
  if (text === null) return null;
  if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.trim(), 'hex');
  throw new AnalyserError(
    'configuration',
    `${path} is not the key of the names in place of addresses (api.names). Restore it from a backup, or remove it: then all names change.`,
  );
}
