import { join } from 'node:path';
import { DAY_MS } from '../base/utc-time.js';
import { openChartStore } from './chart-store.js';
import { cleanTemporaryFiles, listFolder, readStored, removeFile } from './files.js';
import { openHistory } from './history.js';
import { claimStateDir } from './memory-note.js';
import { runIdOf, timeOfRunId } from './results-store.js';

/** The folders of the files that the service writes, whose they are, and what is kept of them. */
export interface VarFolders {
  /** The WebID of the Analyser. */
  analyser: string;
  state_dir: string;
  results_dir: string;
  charts_dir: string;
  /** Null keeps runs and charts for ever. */
  keep_days: number | null;
  /** False keeps no chart. */
  render_charts: boolean;
}

/**
 * The first thing that the holder of the analysis lock does: nothing stays that a killed process has half written, or
 * that is too old. So this happens also where analyses fail. Throws, and touches nothing, if the folders are another
 * Analyser's.
 */
export async function tidyUp(folders: VarFolders, now: Date): Promise<void> {
  const { analyser, state_dir, results_dir, charts_dir, keep_days } = folders;
  const charts = openChartStore(folders);
  await claimStateDir(state_dir, analyser);
  await cleanTemporaryFiles([state_dir, results_dir, charts_dir]);
  if (!folders.render_charts) await charts.keepOnly([]);
  if (keep_days === null) return;
  const oldest = now.getTime() - keep_days * DAY_MS;
  await removeRuns(results_dir, oldest);
  await charts.dropBefore(oldest);
}

/** Removes runs from before `oldest`, their lines in the history, and latest.json with its run. Other files stay. */
async function removeRuns(folder: string, oldest: number): Promise<void> {
  const isOld = (runId: string, limit = oldest) => (timeOfRunId(runId) ?? Infinity) < limit;
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    const runId = name === 'latest.json' ? await runIdIn(path) : runIdOf(name);
    if (isOld(runId)) await removeFile(path);
  }
  const history = openHistory(folder);
  const written = await history.runIds();
  // At most once a day, because all lines are written anew for it.
  if (written.some((runId) => isOld(runId, oldest - DAY_MS))) await history.drop(isOld);
}

/** A results document begins with its version and the id of its run. */
async function runIdIn(path: string): Promise<string> {
  const beginning = (await readStored(path))?.toString('latin1', 0, 200) ?? '';
  return /"run_id": ?"([^"]+)"/.exec(beginning)?.[1] ?? '';
}
