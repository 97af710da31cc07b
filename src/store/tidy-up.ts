import { join } from 'node:path';
import { DAY_MS } from '../base/utc-time.js';
import { openChartStore } from './chart-store.js';
import { cleanTemporaryFiles, listFolder, readStored, removeFile } from './files.js';
import { openHistory } from './history.js';
import { claimStateDir } from './memory-note.js';
import { runIdOf, timeOfRunId } from './results-store.js';

/** The folders of the files that the service writes, whose they are, and what is kept of them. */
export interface VarFolders {
  analyser: string;
  state_dir: string;
  results_dir: string;
  charts_dir: string;
  /** Null keeps runs and charts for ever. */
  keep_days: number | null;
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
  await removeRuns(results_dir, now.getTime(), oldest);
  await charts.dropBefore(oldest);
}

/** Ids are ahead of the clock where many call at once, but never by so much. */
const MOST_AHEAD_MS = 7 * DAY_MS;

/** Removes old runs, their lines in the history, and latest.json with its run. Other files stay. */
async function removeRuns(folder: string, now: number, oldest: number): Promise<void> {
  const history = openHistory(folder);
  const written = await history.runIds();
  const isBefore = (limit: number) => (runId: string) => (timeOfRunId(runId) ?? Infinity) < limit;
  // The clock ran ahead for a run of the future. What was written after it tells when it has to go. A machine that starts
  // with an old clock takes every run for one of the future, and has written nothing that is old.
  const followed = new Set(written.slice(0, 1 + written.findLastIndex(isBefore(oldest))));
  const isOld = (runId: string) =>
    isBefore(oldest)(runId) || (followed.has(runId) && !isBefore(now + MOST_AHEAD_MS)(runId));
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    const runId = name === 'latest.json' ? await runIdIn(path) : runIdOf(name);
    if (isOld(runId)) await removeFile(path);
  }
  // At most once a day, because all lines are written anew for it.
  if (written.some(isBefore(oldest - DAY_MS))) await history.drop(isOld);
}

/** A results document begins with its version and the id of its run. */
async function runIdIn(path: string): Promise<string> {
  const beginning = (await readStored(path))?.toString('latin1', 0, 200) ?? '';
  return /"run_id": ?"([^"]+)"/.exec(beginning)?.[1] ?? '';
}
