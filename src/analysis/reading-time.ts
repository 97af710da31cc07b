import { MINUTE_MS } from '../base/utc-time.js';
import type { Reading } from './reading.js';

export type ReadingTime = Pick<Reading, 'offset'> & { time: number };

/** A day, optionally followed by a time with colons or, as in file names, hyphens. */
const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](?:(\d{2}):(\d{2})(?::(\d{2}))?|(\d{2})-(\d{2})-(\d{2}))(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const inFileName = /\d{4}-\d{2}-\d{2}T\d{2}[-:]\d{2}[-:]\d{2}/i;

/**
 * Null when the value is no time. A time without an offset is read as UTC, since nobody knows its
 * zone and Pods have to compare.
 */
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
  // Rejects 31 February and 24:00, which Date.parse carries over into the next day.
  if (Number.isNaN(utc) || new Date(utc).toISOString() !== wallClock) return null;
  const offset = parseOffset(zone);
  if (offset === null) return null;
  const time = utc - offset * MINUTE_MS;
  const year = new Date(time).getUTCFullYear();
  // ISO 8601 writes other years with a sign, which not every reader of the results understands.
  if (year < 1 || year > 9999) return null;
  return { time, offset: (hour ?? hyphenHour) === undefined ? null : offset };
}

export function timeOfFileName(fileName: string): ReadingTime | null {
  return parseTime(inFileName.exec(fileName)?.[0]);
}

/** In minutes. */
function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
