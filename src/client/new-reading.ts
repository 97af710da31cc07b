import { type MeasureName, plausible, units, wallClock } from '../analysis/reading.js';
import { parseTime } from '../analysis/reading-time.js';
import { invalidInput } from './inputs.js';

/** One measurement that a person has made. */
export interface NewReading {
  /** Wall-clock time without offset, as the app writes it: 2026-08-19T09:15:00.000. */
  timestamp: string;
  systolic: number;
  diastolic: number;
  heartRate: number | null;
  notes: string;
}

/** A reading as it was typed or imported, or one whose values are numbers already. */
interface GivenReading {
  timestamp: string;
  systolic: string | number;
  diastolic: string | number;
  heartRate?: string | number | null | undefined;
  notes?: string | undefined;
}

export function parseNewReading(given: GivenReading): NewReading {
  const { heartRate, notes = '' } = given;
  const rate = String(heartRate ?? '').trim();
  const reading = {
    timestamp: parseTimestamp(given.timestamp),
    systolic: parseMeasure('systolic', given.systolic),
    diastolic: parseMeasure('diastolic', given.diastolic),
    heartRate: rate === '' ? null : parseMeasure('heart_rate', rate, 'heartRate'),
    notes,
  };
  if (reading.systolic > reading.diastolic) return reading;
  const values = `${reading.systolic} and ${reading.diastolic}`;
  throw invalidInput('systolic', `expected the upper value, above the lower one, got ${values}`);
}

export function readingText({ timestamp, heartRate, ...rest }: NewReading): string {
  const { systolic, diastolic, notes } = rest;
  const measured = heartRate === null ? {} : { heart_rate: heartRate };
  return JSON.stringify({ timestamp, responses: { systolic, diastolic, ...measured, notes } });
}

/** A day alone would become a morning, and a time with an offset need not be what the clock showed. */
export function parseTimestamp(timestamp: string): string {
  const parsed = parseTime(timestamp);
  const clock = parsed?.offset === 'unknown' ? wallClock(parsed) : null;
  if (clock !== null) return new Date(clock).toISOString().slice(0, -1);
  const expected = 'expected the time on the clock, without an offset, such as 2026-08-19T09:15:00';
  throw invalidInput('timestamp', `${expected}, got "${timestamp.trim().slice(0, 40)}"`);
}

function parseMeasure(name: MeasureName, given: string | number, field: string = name): number {
  const trimmed = String(given).trim();
  const [lowest, highest] = plausible[name];
  const value = /^\d{1,3}(\.\d{1,3})?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (value >= lowest && value <= highest) return value;
  const shown = trimmed === '' ? 'nothing' : `"${trimmed.slice(0, 40)}"`;
  const expected = `expected a number from ${lowest} to ${highest} ${units[name]}`;
  throw invalidInput(field, `${expected}, got ${shown}`);
}
