import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanTemporaryFiles, listFolder, removeFile } from './atomic-file.js';
import { openHistory } from './history.js';
import { claimStateDir } from './memory-note.js';
import { runIdOf } from './results-store.js';
import { removeOld } from './retention.js';
import type { VarFolders } from './var-folders.js';

/**
 * The first thing that the holder of the analysis lock does: nothing stays that a killed process has half written, that
 * is too old, or that an earlier version has left. So this happens also where analyses fail. Throws, and touches
 * nothing, if the folders are another Analyser's.
 */
export async function tidyUp(folders: VarFolders, now: Date): Promise<void> {
  const { analyser, state_dir, results_dir, charts_dir } = folders;
  await claimStateDir(state_dir, analyser);
  await cleanTemporaryFiles([state_dir, results_dir, charts_dir]);
  await removeLeftovers(folders);
  await removeOld(folders, now);
}

/** Files of earlier versions: notes that nobody reads, and two that name people or hold their readings. */
async function removeLeftovers({ state_dir, results_dir }: VarFolders): Promise<void> {
  const figures = join(state_dir, 'charts');
  // Somebody may have configured one folder for everything, so what is a run today stays.
  const ofCharts = (await listFolder(figures)).filter(
    (name) => /\.(json|tmp)$/.test(name) && name !== 'latest.json' && runIdOf(name) === '',
  );
  const locks = (await listFolder(state_dir)).filter((name) => /^[a-z]+-\d+\.lock$/.test(name));
  const leftovers = [
    ...ofCharts.map((name) => join(figures, name)),
    ...[...locks, 'stored.json', 'names.key', 'unlogged-grants.json'].map((name) =>
      join(state_dir, name),
    ),
    join(results_dir, 'sent-figures.json'),
  ];
  const removed = await Promise.all(leftovers.map(removeFile));
  if (!removed.includes(true)) return;
  await rmdir(figures).catch(() => undefined);
  // Its lines told which Pods came and went.
  await openHistory(results_dir).renew();
}
