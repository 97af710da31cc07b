import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { mapConcurrently } from '../base/concurrency.js';
import { DAY_MS, formatUtc } from '../base/utc-time.js';
import { documentParts } from '../documents/results-document.js';
import { listFolder, removeFile, writeFileAtomically } from './atomic-file.js';
import { figuresFolder } from './chart-store.js';
import type { ResultsStore } from './results-store.js';
import { timeOfRunId } from './run-id.js';
import { runIdOf } from './run-list.js';
import { readJson } from './stored-document.js';
import { withFile } from './stored-file.js';

export interface StoredFolders {
  state_dir: string;
  results_dir: string;
  charts_dir: string;
}

/** How many bytes runs and charts take, written to a file so that the HTTP API and other readers need not measure. */
export const storedBytesSchema = z.object({
  bytes: z.number(),
  bytes_per_day: z.number().describe('What the runs of the last week took, for each day of it.'),
  measured_at: documentParts.timestamp,
});
export type StoredBytes = z.infer<typeof storedBytesSchema>;

/** Null before the first analysis, or where the file is damaged. */
export async function readStoredBytes(stateDir: string): Promise<StoredBytes | null> {
  const value = await withFile(pathIn(stateDir), readJson);
  return storedBytesSchema.safeParse(value).data ?? null;
}

const pathIn = (stateDir: string) => join(stateDir, 'stored.json');

interface StoredRun {
  path: string;
  runId: string;
  bytes: number;
}

const WEEK_DAYS = 7;
const FILES_AT_ONCE = 32;

/** Looks at every file; the runs come oldest first. */
export async function measureStored(folders: StoredFolders, now: Date) {
  const { results_dir, charts_dir, state_dir } = folders;
  const names = (await listFolder(results_dir)).sort();
  const found = await sizesOf(results_dir, names);
  const runs: StoredRun[] = found.flatMap(({ name, path, bytes }) => {
    const runId = runIdOf(name);
    return timeOfRunId(runId) === null ? [] : [{ path, runId, bytes }];
  });
  const charts = await Promise.all(
    [charts_dir, figuresFolder(state_dir)].map(async (folder) =>
      sizesOf(folder, await listFolder(folder)),
    ),
  );
  const bytes = sum([...runs, ...charts.flat()]);
  return { runs, bytes, bytesPerDay: growth(runs, now) };
}

function growth(runs: readonly StoredRun[], now: Date): number {
  const age = ({ runId }: StoredRun) => (now.getTime() - (timeOfRunId(runId) ?? 0)) / DAY_MS;
  const recent = runs.filter((run) => age(run) < WEEK_DAYS);
  const oldest = Math.max(0, ...runs.map(age));
  return Math.round(sum(recent) / Math.min(WEEK_DAYS, Math.max(1, oldest)));
}

async function sizesOf(folder: string, names: readonly string[]) {
  const files = await mapConcurrently(names, FILES_AT_ONCE, async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    return found?.isFile() === true ? [{ name, path, bytes: found.size }] : [];
  });
  return files.flat();
}

function sum(files: readonly { bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

/** To make room, runs are removed until this part of the limit is in use, so that the room lasts for a while. */
const ROOM = 0.9;
const UNBOUNDED_BYTES = 1e9;
const BYTES_PER_MEGABYTE = 1e6;

interface Keeping extends StoredFolders {
  /** Null keeps runs without a limit. */
  keep_megabytes: number | null;
}

/**
 * Keeps runs and charts within `keep_megabytes` by removing the oldest runs. The run of latest.json stays, and so do
 * the charts, because each Pod has only one. All files are measured once a day, and also when the runs that were
 * written since may exceed the limit. Only for the holder of the analysis lock, after its callers were answered.
 */
export function openStoredKeeper(
  { keep_megabytes, ...folders }: Keeping,
  results: Pick<ResultsStore, 'findLastRun' | 'bytesWritten'>,
) {
  const limit = keep_megabytes === null ? Infinity : keep_megabytes * BYTES_PER_MEGABYTE;
  let last: { at: number; bytes: number; written: number } | null = null;

  async function makeRoom(runs: readonly StoredRun[], bytes: number): Promise<number> {
    const newest = (await results.findLastRun())?.id;
    let left = bytes;
    for (const run of runs) {
      if (left <= limit * ROOM) break;
      if (run.runId === newest) continue;
      await removeFile(run.path);
      left -= run.bytes;
    }
    return left;
  }

  /** Returns how many bytes there are and, at most once a day, a warning for the log. */
  return async (now: Date): Promise<{ bytes: number; warning: string | null }> => {
    const written = results.bytesWritten();
    const estimate = last === null ? Infinity : last.bytes + (written - last.written);
    if (last !== null && now.getTime() - last.at < DAY_MS && estimate <= limit) {
      return { bytes: estimate, warning: null };
    }
    const { runs, bytes: found, bytesPerDay } = await measureStored(folders, now);
    const bytes = found > limit ? await makeRoom(runs, found) : found;
    last = { at: now.getTime(), bytes, written };
    const told: StoredBytes = { bytes, bytes_per_day: bytesPerDay, measured_at: formatUtc(now) };
    await writeFileAtomically(pathIn(folders.state_dir), `${JSON.stringify(told)}\n`);
    return { bytes, warning: limit === Infinity ? describeUnbounded(told) : null };
  };
}

/** A warning about files without a limit; null if they take too few bytes for one. */
export function describeUnbounded({
  bytes,
  bytes_per_day,
}: Pick<StoredBytes, 'bytes' | 'bytes_per_day'>): string | null {
  if (bytes < UNBOUNDED_BYTES) return null;
  return `Runs and charts take ${inMegabytes(bytes)}, and ${inMegabytes(bytes_per_day)} more each day, without a limit: set output.keep_megabytes or output.keep_days.`;
}

export function inMegabytes(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MEGABYTE;
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`;
}
