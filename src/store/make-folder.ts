import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnalyserError, codeOf } from '../base/errors.js';

/**
 * Makes a folder and those above it; returns the new ones, the outermost first. Not with the option
 * `recursive` of Node, which tries for ever where nothing can be made, as below /proc.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<string[]> {
  const missing = await tryToMake(folder, mode);
  if (missing !== 'ENOENT') return missing === null ? [folder] : [];
  const parent = dirname(folder);
  const above = parent === folder ? [] : await makeFolder(parent, mode);
  const outcome = await tryToMake(folder, mode);
  if (outcome !== 'ENOENT') return outcome === null ? [...above, folder] : above;
  throw new AnalyserError(
    'disk',
    `Could not make the folder ${folder}. Nothing can be made there: choose another folder under output.`,
  );
}

/** Null once it is made. */
async function tryToMake(folder: string, mode: number): Promise<'ENOENT' | 'EEXIST' | null> {
  try {
    await mkdir(folder, { mode });
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'EEXIST') return code;
    throw error;
  }
}
