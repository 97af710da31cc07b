import { stat } from 'node:fs/promises';
import { codeOf } from '../base/errors.js';
import { listFolder } from './atomic-file.js';
import { diskError } from './disk-error.js';
import { isRunId } from './run-id.js';

/** Two changes of a folder within this time may get the same date from the file system. */
const COARSEST_DATE_MS = 2_500;

/** Returns a function that lists the stored run ids, newest first; the same list while it is certainly still right. */
export function openRunList(resultsDir: string): () => Promise<readonly string[]> {
  let kept: { changed: number; runIds: readonly string[] } | null = null;
  return async () => {
    const changed = await changeOf(resultsDir);
    if (kept !== null && kept.changed === changed) return kept.runIds;
    const names = await listFolder(resultsDir);
    const runIds = names.map(runIdOf).filter(isRunId).sort().reverse();
    // A folder that has just changed can change again without a new date, so this list is not kept.
    kept = Date.now() - changed > COARSEST_DATE_MS ? { changed, runIds } : null;
    return runIds;
  };
}

export function runIdOf(fileName: string): string {
  return /^run-(.+)\.json$/.exec(fileName)?.[1] ?? '';
}

/** When the folder last changed, in milliseconds since 1970; 0 if there is no folder. */
async function changeOf(folder: string): Promise<number> {
  try {
    return (await stat(folder)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw diskError('list', folder, error);
  }
}
