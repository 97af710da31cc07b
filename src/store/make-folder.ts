import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnalyserError, codeOf } from '../base/errors.js';

/**
 * At most the owner and a group may enter, whatever the umask is: the names of the files alone show who takes part.
 */
const MODE = 0o750;

/**
 * Makes a folder and the missing folders above it; returns the new folders, the outermost first. It does not use Node's
 * option `recursive`: where nothing can be made, as below /proc, this option never ends.
 */
export async function makeFolder(folder: string): Promise<string[]> {
  const missing = await tryToMake(folder);
  if (missing !== 'ENOENT') return missing === null ? [folder] : [];
  const parent = dirname(folder);
  const above = parent === folder ? [] : await makeFolder(parent);
  const outcome = await tryToMake(folder);
  if (outcome !== 'ENOENT') return outcome === null ? [...above, folder] : above;
  throw new AnalyserError(
    'disk',
    `Could not make the folder ${folder}. Nothing can be made there: choose another folder under output.`,
  );
}

/** Null if the folder was made, otherwise the reason why not. */
async function tryToMake(folder: string): Promise<'ENOENT' | 'EEXIST' | null> {
  try {
    await mkdir(folder, { mode: MODE });
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'EEXIST') return code;
    throw error;
  }
}
