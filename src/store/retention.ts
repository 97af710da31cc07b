import { join } from 'node:path';
import { z } from 'zod';
import { DAY_MS } from '../base/utc-time.js';
import { openAnalysisIndex } from './analysis-index.js';
import { listFolder, removeFile } from './atomic-file.js';
import { type ChartStore, chartStem } from './chart-store.js';
import { isRunId, timeOfRunId } from './run-id.js';
import { runIdOf } from './run-list.js';
import { readJson } from './stored-document.js';
import { withFile } from './stored-file.js';

export interface Retention {
  results_dir: string;
  /** Null keeps runs for ever. */
  keep_days: number | null;
}

/**
 * Removes runs and charts that are older than `keep_days`, and the lines of these runs in the index. Also removes the
 * charts of all Pods but those with the pod_ids of `charted`, if it is not null. latest.json stays until the next run replaces it. Other files may lie in these folders. So a file is removed only if its name and its content show that it is our
 * own. Only for the holder of the analysis lock, after the last checkpoint.
 */
export async function removeOld(
  { results_dir, keep_days }: Retention,
  charts: Pick<ChartStore, 'list' | 'drawnAt' | 'remove'>,
  charted: Iterable<string> | null,
  now: Date,
): Promise<void> {
  const oldest = keep_days === null ? -Infinity : now.getTime() - keep_days * DAY_MS;
  if (keep_days !== null) {
    await removeRuns(results_dir, oldest);
    await openAnalysisIndex(results_dir).dropBefore(oldest);
  }
  const known = charted && new Set(Array.from(charted, chartStem));
  for (const stem of await charts.list()) {
    const isOld = async () => keep_days !== null && ((await charts.drawnAt(stem)) ?? 0) < oldest;
    if (known?.has(stem) === false || (await isOld())) await charts.remove(stem);
  }
}

const runSchema = z.object({ run_id: z.string().refine(isRunId) });

async function removeRuns(folder: string, oldest: number): Promise<void> {
  for (const name of await listFolder(folder)) {
    const runId = runIdOf(name);
    const time = timeOfRunId(runId);
    if (time === null || time >= oldest) continue;
    const path = join(folder, name);
    const isRun = await withFile(path, async (file) => {
      const parsed = runSchema.safeParse(await readJson(file));
      return parsed.success && parsed.data.run_id === runId;
    });
    if (isRun === true) await removeFile(path);
  }
}
