import { cleanTemporaryFiles } from './atomic-file.js';
import { claimStateDir } from './memory-note.js';
import { removeOld } from './retention.js';
import type { VarFolders } from './var-folders.js';

/**
 * The first thing that the holder of the analysis lock does: nothing stays that a killed process has half written, or
 * that is too old. So this happens also where analyses fail. Throws, and touches nothing, if the folders are another
 * Analyser's.
 */
export async function tidyUp(folders: VarFolders, now: Date): Promise<void> {
  const { analyser, state_dir, results_dir, charts_dir } = folders;
  await claimStateDir(state_dir, analyser);
  await cleanTemporaryFiles([state_dir, results_dir, charts_dir]);
  await removeOld(folders, now);
}
