import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnalyserError, codeOf } from '../base/errors.js';

/** For the owner and a group, whatever the umask: even the names in it say who takes part. */
const MODE = 0o750;

/**
 * Makes a folder and those above it; returns the new ones, the outermost first. Not with the option
 * `recursive` of Node, which tries for ever where nothing can be made, as below /proc.
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

/** Null once it is made. */
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
