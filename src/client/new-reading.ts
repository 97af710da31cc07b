import { type MeasureName, units, wallClock } from '../analysis/reading.js';
import { parseTime } from '../analysis/reading-time.js';
import { ClientError } from './client-error.js';
import { usualLimits } from './plausible.js';

/** One measurement that a person has made. */
export interface NewReading {
  /** Wall-clock time without offset, as the app writes it: 2026-08-19T09:15:00.000. */
  timestamp: string;
  systolic: number;
  diastolic: number;
  heartRate: number | null;
  notes: string;
}

/** Checks a reading that was typed or imported; throws an error that names the wrong value. */
export function parseNewReading(text: {
  timestamp: string;
  systolic: string;
  diastolic: string;
  heartRate?: string;
  notes?: string;
}): NewReading {
  const heartRate = (text.heartRate ?? '').trim();
  return {
    timestamp: parseTimestamp(text.timestamp),
    systolic: parseMeasure('systolic', text.systolic),
    diastolic: parseMeasure('diastolic', text.diastolic),
    heartRate: heartRate === '' ? null : parseMeasure('heart_rate', heartRate, 'heartRate'),
    notes: text.notes ?? '',
  };
}

/** Throws for values that `parseNewReading` would refuse. */
export function requireValidReading(reading: NewReading): NewReading {
  return parseNewReading({
    ...reading,
    systolic: String(reading.systolic),
    diastolic: String(reading.diastolic),
    heartRate: String(reading.heartRate ?? ''),
  });
}

/** A reading may be an hour ahead, because clocks differ and summer time may just have begun. */
const AHEAD_MS = 60 * 60_000;

/**
 * Finds values that are allowed but look like a slip. `now` is the time on the clock of the person who typed them, in
 * milliseconds as if it were UTC.
 */
export function findDoubts(reading: NewReading, now: number): string[] {
  const { timestamp, systolic, diastolic, heartRate } = reading;
  const doubts: string[] = [];
  if (Date.parse(`${timestamp}Z`) > now + AHEAD_MS) {
    doubts.push(`The reading is dated in the future, ${timestamp.slice(0, 19)}.`);
  }
  if (systolic < diastolic) {
    doubts.push(
      `The upper value ${systolic} is below the lower value ${diastolic}; they may be swapped.`,
    );
  }
  return [
    ...doubts,
    ...doubtOfValue('systolic', systolic),
    ...doubtOfValue('diastolic', diastolic),
    ...doubtOfValue('heart_rate', heartRate),
  ];
}

/**
 * Finds values that are not plausible. This finds most values in another unit, and most values that a decimal comma has
 * moved into a wrong column.
 */
function doubtOfValue(name: MeasureName, value: number | null): string[] {
  const [lowest, highest] = usualLimits[name];
  if (value === null || (value >= lowest && value <= highest)) return [];
  const limits = `${lowest} to ${highest} ${units[name]}`;
  return [`The ${name.replace('_', ' ')} ${value} is not plausible: expected ${limits}.`];
}

/** The content of the reading's file, as the app writes it. */
export function readingText({ timestamp, heartRate, ...rest }: NewReading): string {
  const { systolic, diastolic, notes } = rest;
  const measured = heartRate === null ? {} : { heart_rate: heartRate };
  return JSON.stringify({ timestamp, responses: { systolic, diastolic, ...measured, notes } });
}

/** Whether the time is written in UTC, which is seldom the time on a clock at home. */
export function isUtc(text: string): boolean {
  return parseTime(text)?.offset === 0;
}

/** The time on the clock, to the millisecond and without an offset, as a reading stores it. */
export function parseTimestamp(text: string): string {
  const parsed = parseTime(text);
  const shown = text.trim().slice(0, 40);
  // A day without a time would become midnight. The reading would count as a morning, and all readings of a day would
  // be of the same second.
  if (parsed?.offset === null) {
    throw invalidInput(
      'timestamp',
      `timestamp: a reading needs its time of day, which tells morning and evening apart; write it as 2026-08-19T09:15:00, got "${shown}"`,
    );
  }
  const clock = parsed === null ? null : wallClock(parsed);
  if (clock !== null) return new Date(clock).toISOString().slice(0, -1);
  throw invalidInput(
    'timestamp',
    `timestamp: expected a time such as 2026-08-19T09:15:00, got "${shown}"`,
  );
}

export function parseMeasure(name: string, text: string, field = name): number {
  const trimmed = text.trim();
  if (/^\d{1,3}(\.\d{1,3})?$/.test(trimmed) && Number(trimmed) > 0) return Number(trimmed);
  const shown = trimmed === '' ? 'nothing' : `"${trimmed.slice(0, 40)}"`;
  throw invalidInput(
    field,
    `${name}: expected a number such as 120.5, above 0 and below 1000, got ${shown}`,
  );
}

export function invalidInput(field: string, reason: string): ClientError {
  return new ClientError('invalid-input', `${reason}.`, { field });
}
