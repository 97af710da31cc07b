import { MINUTE_MS } from '../base/utc-time.js';
import { type ReadingTime, wallClock } from './reading.js';

/** A day, optionally followed by a time with colons or, as in file names, hyphens. */
const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](?:(\d{2}):(\d{2})(?::(\d{2}))?|(\d{2})-(\d{2})-(\d{2}))(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const inFileName = /\d{4}-\d{2}-\d{2}T\d{2}[-:]\d{2}[-:]\d{2}/i;

/** A time without an offset is compared as if it were UTC, and shown without a zone. */
export function parseTime(value: unknown): ReadingTime | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const match = pattern.exec(value.trim());
  if (match === null) return null;
  const [, day, hour, minute, second, hyphenHour, hyphenMinute, hyphenSecond, fraction, zone] =
    match;
  const clock = `${hour ?? hyphenHour ?? '00'}:${minute ?? hyphenMinute ?? '00'}:${second ?? hyphenSecond ?? '00'}`;
  const milliseconds = (fraction ?? '').padEnd(3, '0').slice(0, 3);
  const wallClock = `${day}T${clock}.${milliseconds}Z`;
  const utc = Date.parse(wallClock);
  // Rejects 31 February and 24:00, which Date.parse turns into a later day.
  if (Number.isNaN(utc) || new Date(utc).toISOString() !== wallClock) return null;
  const offset = zone === undefined ? 'unknown' : parseOffset(zone);
  if (offset === null) return null;
  const time = offset === 'unknown' ? utc : utc - offset * MINUTE_MS;
  const year = new Date(time).getUTCFullYear();
  // Rejects year 0, and years that ISO 8601 writes with a sign: some programs that read the results do not understand
  // them.
  if (year < 1 || year > 9999) return null;
  return { time, offset: (hour ?? hyphenHour) === undefined ? null : offset };
}

export function timeOfFileName(fileName: string): ReadingTime | null {
  return parseTime(inFileName.exec(fileName)?.[0]);
}

/** The time as it was written: `2026-08-19T09:15:00.000+10:00`, or without the offset, or only the day. */
export function formatReadingTime({ time, offset }: ReadingTime): string {
  const clock = new Date(wallClock({ time, offset }) ?? time).toISOString().slice(0, -1);
  if (offset === null) return clock.slice(0, 'yyyy-mm-dd'.length);
  return offset === 'unknown' ? clock : `${clock}${formatOffset(offset)}`;
}

function formatOffset(minutes: number): string {
  const digits = (value: number) => String(value).padStart(2, '0');
  const ahead = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(ahead / 60))}:${digits(ahead % 60)}`;
}

/** From UTC, in minutes. */
function parseOffset(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
