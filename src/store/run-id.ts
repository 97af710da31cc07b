const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

export function isRunId(text: string): boolean {
  const time = timeOfRunId(text);
  return time !== null && runIdAt(time / 1000) === text;
}

/** Seconds; a run before that lies further ahead was made by a clock that was wrong. */
const FURTHEST_AHEAD = 60 * 60;

/**
 * Answers the second of `now`, or the next one that no run has and that lies after the run
 * before: two runs within a second stay apart. Only the holder of the cycle lock may ask, or two processes get the same answer.
 */
export function createRunIds(
  isTaken: (runId: string) => Promise<boolean>,
): (now: Date, previous?: string) => Promise<string> {
  // Every second in between has been found taken: quick runs, one after the other, run ahead of
  // the clock, and must not look at all that came before them.
  let found = { from: 0, to: 0 };
  return async (now, previous = '') => {
    const clock = Math.floor(now.getTime() / 1000);
    const after = (timeOfRunId(previous) ?? 0) / 1000 + 1;
    const second = after > clock && after - clock < FURTHEST_AHEAD ? after : clock;
    const isFound = found.from <= second && second <= found.to;
    const from = isFound ? found.from : second;
    let to = isFound ? found.to : second;
    while (await isTaken(runIdAt(to))) to += 1;
    found = { from, to };
    return runIdAt(to);
  };
}

function runIdAt(second: number): string {
  const text = new Date(second * 1000).toISOString();
  return `${text.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Milliseconds since 1970; null for what is no run id. */
export function timeOfRunId(runId: string): number | null {
  const match = pattern.exec(runId);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}
