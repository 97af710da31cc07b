const missing = '–';

function formatter(options: Intl.DateTimeFormatOptions, timeZone?: string) {
  const zone = timeZone === undefined ? {} : { timeZone };
  return new Intl.DateTimeFormat('en-GB', { ...options, ...zone });
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const minute = { hour: '2-digit', minute: '2-digit' } as const;

/** `19 Nov 2026, 09:15 UTC`; without a zone given, that of the reader's device. */
export function formatTime(iso: string | null, timeZone?: string): string {
  const date = parse(iso);
  return date === null
    ? missing
    : formatter({ ...day, ...minute, timeZoneName: 'short' }, timeZone).format(date);
}

/** `19 Nov 2026`. */
export function formatDay(iso: string | null, timeZone?: string): string {
  const date = parse(iso);
  return date === null ? missing : formatter(day, timeZone).format(date);
}

/** `09:15:07`, for something that happened today. */
export function formatClock(time: number, timeZone?: string): string {
  return formatter({ ...minute, second: '2-digit' }, timeZone).format(time);
}

/** `20261119T091500Z` → `2026-11-19T09:15:00Z`; null when the text is no run id. */
export function timeOfRun(runId: string): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(runId);
  if (match === null) return null;
  const [, year, month, date, hour, minutes, seconds] = match;
  const iso = `${year}-${month}-${date}T${hour}:${minutes}:${seconds}Z`;
  return parse(iso) === null ? null : iso;
}

function parse(iso: string | null): Date | null {
  if (iso === null) return null;
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
}
