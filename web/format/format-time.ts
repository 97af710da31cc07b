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

/** `19 Nov 2026, 09:15:07 UTC`, where two may lie within a minute. */
export function formatSecond(iso: string, timeZone?: string): string {
  const date = parse(iso);
  const options = { ...day, ...minute, second: '2-digit', timeZoneName: 'short' } as const;
  return date === null ? missing : formatter(options, timeZone).format(date);
}

/** `19 Nov 2026`. */
export function formatDay(iso: string | null, timeZone?: string): string {
  const date = parse(iso);
  return date === null ? missing : formatter(day, timeZone).format(date);
}

/** `19 Nov 2026, 09:15` of a reading by its own clock; with `+10:00` behind it where its text says so. */
export function formatReadingTime(text: string | null): string {
  const [, clock = '', offset = ''] = /^([\d-]+T[\d:.]+)(Z|[+-][\d:]+)?$/.exec(text ?? '') ?? [];
  // A day alone, or nothing.
  if (clock === '') return formatDay(text, 'UTC');
  const shown = formatter({ ...day, ...minute }, 'UTC').format(new Date(`${clock}Z`));
  return offset === '' ? shown : `${shown} ${offset}`;
}

/** `19 Nov 2026` of a reading by its own clock. */
export function formatReadingDay(text: string | null): string {
  return formatDay(text?.slice(0, 'yyyy-mm-dd'.length) ?? null, 'UTC');
}

/** `09:15:07`, for something that happened today. */
export function formatClock(time: number, timeZone?: string): string {
  return formatter({ ...minute, second: '2-digit' }, timeZone).format(time);
}

/** `42 s`, `3 min 5 s`, `1 h 12 min`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (minutes === 0) return `${seconds} s`;
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes % 60} min`;
}

function parse(iso: string | null): Date | null {
  if (iso === null) return null;
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
}
