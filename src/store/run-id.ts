const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

export function isRunId(text: string): boolean {
  const time = timeOf(text);
  return time !== null && runIdAt(time) === text;
}

/** A run before that lies further ahead was made by a clock that was wrong. */
const FURTHEST_AHEAD_MS = 60 * 60 * 1000;

/**
 * The second of `now`, or the next one that no run has and that lies after the run before:
 * two runs within a second stay apart. Only the holder of the cycle lock may ask, or two
 * processes get the same answer.
 */
export function nextRunId(now: Date, taken: Iterable<string>, previous = ''): string {
  const used = new Set(taken);
  const earliest = (timeOf(previous) ?? 0) + 1000;
  const isAhead = earliest > now.getTime() && earliest - now.getTime() < FURTHEST_AHEAD_MS;
  let time = isAhead ? earliest : now.getTime();
  while (used.has(runIdAt(time))) time += 1000;
  return runIdAt(time);
}

function runIdAt(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function timeOf(runId: string): number | null {
  const match = pattern.exec(runId);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}
