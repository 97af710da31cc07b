import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../base/utc-time.js';
import { listFolder, removeFile } from './atomic-file.js';
import { isNamedAsChart } from './chart-store.js';
import { openHistory } from './history.js';
import { runIdOf } from './results-store.js';
import { timeOfRunId } from './run-id.js';
import { readStored } from './stored-file.js';
import type { VarFolders } from './var-folders.js';

type Stored = Pick<VarFolders, 'results_dir' | 'charts_dir' | 'keep_days' | 'servers'>;

/**
 * Removes runs and charts that are older than `keep_days`, the lines of these runs in the history, and latest.json with
 * its run. Other files may lie in these folders, and stay. Only for the holder of the analysis lock.
 */
export async function removeOld(stored: Stored, now: Date): Promise<void> {
  const { results_dir, keep_days } = stored;
  if (keep_days === null) return;
  const oldest = now.getTime() - keep_days * DAY_MS;
  await removeRuns(results_dir, oldest);
  await openHistory(results_dir).dropBefore(oldest);
  await removeCharts(stored, async (path) => (await lstat(path)).mtimeMs < oldest);
}

/** Removes all charts but those of these names. Only for the holder of the analysis lock. */
export function keepCharts(
  stored: Pick<Stored, 'charts_dir' | 'servers'>,
  fileNames: ReadonlySet<string>,
): Promise<void> {
  return removeCharts(stored, (_path, fileName) => Promise.resolve(!fileNames.has(fileName)));
}

async function removeCharts(
  { charts_dir, servers }: Pick<Stored, 'charts_dir' | 'servers'>,
  goes: (path: string, fileName: string) => Promise<boolean>,
): Promise<void> {
  const isChart = isNamedAsChart(servers);
  for (const fileName of (await listFolder(charts_dir)).filter(isChart)) {
    const path = join(charts_dir, fileName);
    if (await goes(path, fileName)) await removeFile(path);
  }
}

async function removeRuns(folder: string, oldest: number): Promise<void> {
  const isOld = (runId: string) => (timeOfRunId(runId) ?? Infinity) < oldest;
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    const runId = name === 'latest.json' ? await runIdIn(path) : runIdOf(name);
    if (isOld(runId)) await removeFile(path);
  }
}

/** A results document begins with its version and the id of its run. */
async function runIdIn(path: string): Promise<string> {
  const beginning = (await readStored(path))?.toString('latin1', 0, 200) ?? '';
  return /"run_id": ?"([^"]+)"/.exec(beginning)?.[1] ?? '';
}
