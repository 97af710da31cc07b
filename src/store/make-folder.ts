import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnalyserError, codeOf } from '../base/errors.js';

/**
 * At most the owner and a group may enter, whatever the umask is: the names of the files alone show who takes part.
 */
const MODE = 0o750;

/**
 * Makes a folder and the missing folders above it. It does not use Node's option `recursive`: where nothing can be
 * made, as below /proc, this option never ends.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await tryToMake(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  if (await tryToMake(folder)) return;
  throw new AnalyserError(
    'disk',
    `Could not make the folder ${folder}. Nothing can be made there: choose another folder under output.`,
  );
}

/** Makes the folder if it is missing; false if nothing is there to make it in. */
async function tryToMake(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: MODE });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST') throw error;
  }
  return true;
}
