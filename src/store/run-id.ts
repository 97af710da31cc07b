import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.js';
import { withFile } from './stored-file.js';

const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

export function isRunId(text: string): boolean {
  const time = timeOfRunId(text);
  return time !== null && runIdAt(time / 1000) === text;
}

/** In seconds. A last run id that is further ahead was made with a wrong clock and is ignored. */
const FURTHEST_AHEAD = 7 * 24 * 60 * 60;

/**
 * Run ids for the present second, or for the next free seconds. No id is given out twice, even after a failed run, so
 * ids can be ahead of the clock. Only for the holder of the analysis lock: otherwise two processes could get the same
 * id.
 */
export async function nextRunIds(
  stateDir: string,
  isTaken: (runId: string) => Promise<boolean>,
  { count, now }: { count: number; now: Date },
): Promise<string[]> {
  const path = join(stateDir, 'last-run-id');
  // A damaged file is ignored, because the ids of stored runs are skipped in any case.
  const own = await withFile(path, async (file) => (await file.read()).toString().trim());
  const clock = Math.floor(now.getTime() / 1000);
  const last = (timeOfRunId(own ?? '') ?? 0) / 1000;
  let second = last - clock < FURTHEST_AHEAD ? Math.max(clock, last + 1) : clock;
  const runIds: string[] = [];
  for (; runIds.length < count; second += 1) {
    const runId = runIdAt(second);
    if (!(await isTaken(runId))) runIds.push(runId);
  }
  // Written before the ids are used, so that even after a kill no id is given out again.
  await writeFileAtomically(path, `${runIds.at(-1)}\n`);
  return runIds;
}

function runIdAt(second: number): string {
  const text = new Date(second * 1000).toISOString();
  return `${text.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Milliseconds since 1970; null for a text that is not a run id. */
export function timeOfRunId(runId: string): number | null {
  const match = pattern.exec(runId);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}
