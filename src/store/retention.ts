import { join } from 'node:path';
import { listFolder, removeFile } from './atomic-file.js';
import { chartFileName, figuresFileName, figuresFolder } from './chart-store.js';
import { timeOfRunId } from './run-id.js';
import { withFile } from './stored-file.js';

export interface Retention {
  results_dir: string;
  charts_dir: string;
  /** Holds the figures of the charts. */
  state_dir: string;
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
  { results_dir, charts_dir, state_dir, keep_days }: Retention,
  sharingPods: readonly string[],
  now: Date,
): Promise<void> {
  const oldest = keep_days === null ? -Infinity : now.getTime() - keep_days * DAY_MS;
  if (keep_days !== null) {
    for (const name of await listFolder(results_dir)) {
      const time = timeOfRunId(/^run-(.+)\.json$/.exec(name)?.[1] ?? '');
      if (time !== null && time < oldest) await removeFile(join(results_dir, name));
    }
  }
  const kept = [
    { folder: charts_dir, ending: '.png', names: sharingPods.map(chartFileName) },
    { folder: figuresFolder(state_dir), ending: '.json', names: sharingPods.map(figuresFileName) },
  ];
  for (const { folder, ending, names } of kept) {
    const sharing = new Set(names);
    for (const name of await listFolder(folder)) {
      if (name.startsWith('.') || !name.endsWith(ending)) continue;
      const path = join(folder, name);
      const isOlder = async () =>
        keep_days !== null && (await withFile(path, ({ modified }) => modified.getTime() < oldest));
      if (!sharing.has(name) || (await isOlder())) await removeFile(path);
    }
  }
}
