import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFolder, removeFile } from './atomic-file.js';
import { chartFileName, figuresFileName } from './chart-store.js';
import { codeOf, diskError } from './disk-error.js';
import { timeOfRunId } from './run-id.js';

export interface Retention {
  results_dir: string;
  charts_dir: string;
  /** Null: for ever. */
  keep_days: number | null;
}

const DAY_MS = 86_400_000;

/**
 * Removes runs and charts older than `keep_days`, and the charts of Pods that no longer share
 * anything. latest.json stays: the next run replaces it. Only for the holder of the analysis lock,
 * past the last checkpoint.
 */
export async function removeOld(
  { results_dir, charts_dir, keep_days }: Retention,
  sharingPods: Iterable<string>,
  now: Date,
): Promise<void> {
  const oldest = keep_days === null ? -Infinity : now.getTime() - keep_days * DAY_MS;
  const sharing = new Set(
    [...sharingPods].flatMap((podId) => [chartFileName(podId), figuresFileName(podId)]),
  );
  if (keep_days !== null) {
    for (const name of await listFolder(results_dir)) {
      const time = timeOfRunId(/^run-(.+)\.json$/.exec(name)?.[1] ?? '');
      if (time !== null && time < oldest) await removeFile(join(results_dir, name));
    }
  }
  for (const name of await listFolder(charts_dir)) {
    if (name.startsWith('.') || !/\.(png|chart\.json)$/.test(name)) continue;
    const path = join(charts_dir, name);
    if (!sharing.has(name) || (await isOlder(path, oldest))) await removeFile(path);
  }
}

async function isOlder(path: string, oldest: number): Promise<boolean> {
  if (oldest === -Infinity) return false;
  try {
    return (await stat(path)).mtimeMs < oldest;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw diskError('read', path, error);
  }
}
