/** ISO 8601 with milliseconds and offset, as every document writes it. */
export function formatUtc(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}

export const MINUTE_MS = 60 * 1000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The number of the day in UTC, counted from 1970. */
export function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}

/** `2026-08-19` */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
