const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

export function isRunId(text: string): boolean {
  const time = timeOfRunId(text);
  return time !== null && runIdAt(time / 1000) === text;
}

/**
 * Run ids for the present second, or for the next free seconds, so ids can be ahead of the clock. Only for the holder of
 * the analysis lock: otherwise two processes could get the same id.
 */
export function nextRunIds(
  stored: readonly string[],
  { count, now }: { count: number; now: Date },
): string[] {
  const taken = new Set(stored);
  const runIds: string[] = [];
  for (let second = Math.floor(now.getTime() / 1000); runIds.length < count; second += 1) {
    const runId = runIdAt(second);
    if (!taken.has(runId)) runIds.push(runId);
  }
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
