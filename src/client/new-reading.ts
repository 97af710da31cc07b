import { columnNames, csvRows } from '../analysis/csv-rows.js';
import { parseTime } from '../analysis/reading-time.js';
import { ClientError } from './client-error.js';

/** One measurement that a person has made. */
export interface NewReading {
  /** Wall-clock time without offset, as the app writes it: 2026-08-19T09:15:00.000. */
  timestamp: string;
  systolic: number;
  diastolic: number;
  heartRate: number | null;
  notes: string;
}

/** A reading as typed or imported; throws a sentence that names what is wrong with it. */
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

/** An hour, because clocks differ and summer time may just have begun. */
const AHEAD_MS = 60 * 60_000;

/**
 * Questions about values that are allowed but look like a slip. `now` is the wall-clock time of the
 * person who typed them, in milliseconds as if it were UTC.
 */
export function findDoubts(reading: NewReading, now: number): string[] {
  const { timestamp, systolic, diastolic } = reading;
  const doubts: string[] = [];
  if (Date.parse(`${timestamp}Z`) > now + AHEAD_MS) {
    doubts.push(`The reading is dated in the future, ${timestamp.slice(0, 19)}.`);
  }
  if (systolic < diastolic) {
    doubts.push(
      `The upper value ${systolic} is below the lower value ${diastolic}; they may be swapped.`,
    );
  }
  return doubts;
}

/** The content of the reading's file, as the app writes it. */
export function readingText({ timestamp, heartRate, ...rest }: NewReading): string {
  const { systolic, diastolic, notes } = rest;
  const measured = heartRate === null ? {} : { heart_rate: heartRate };
  return JSON.stringify({ timestamp, responses: { systolic, diastolic, ...measured, notes } });
}

/**
 * Columns by name in any order: timestamp, systolic, diastolic, heart_rate, notes; the last two are
 * optional. One wrong line refuses the whole file, so that no import is done by half.
 */
export function parseReadingsCsv(csv: string): NewReading[] {
  const [header = [], ...rows] = readRows(csv.replace(/^\uFEFF/, ''));
  const names = columnNames(header);
  for (const needed of ['timestamp', 'systolic', 'diastolic']) {
    if (!names.includes(needed))
      throw invalidInput(needed, `The CSV has no column "${needed}" in its first line`);
  }
  return rows.map((row, index) => {
    const cell = (name: string) => row[names.indexOf(name)] ?? '';
    try {
      return parseNewReading({
        timestamp: cell('timestamp'),
        systolic: cell('systolic'),
        diastolic: cell('diastolic'),
        heartRate: cell('heart_rate'),
        notes: cell('notes'),
      });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const message = `Row ${index + 2} of the CSV: ${error.message}`;
      throw new ClientError('invalid-input', message, { field: error.field });
    }
  });
}

function readRows(csv: string): string[][] {
  try {
    return [...csvRows(csv, ',')];
  } catch (error) {
    if (error instanceof SyntaxError)
      throw invalidInput('csv', 'The CSV has a quote that is never closed');
    throw error;
  }
}

/** Wall-clock time to the millisecond, as a reading holds it. */
export function parseTimestamp(text: string): string {
  const time = parseTime(text);
  if (time !== null) return new Date(time.time).toISOString().slice(0, -1);
  const shown = text.slice(0, 40);
  throw invalidInput(
    'timestamp',
    `timestamp: expected a time such as 2026-08-19T09:15:00, got "${shown}"`,
  );
}

export function parseMeasure(name: string, text: string, field = name): number {
  const trimmed = text.trim();
  if (/^\d{1,3}(\.\d{1,3})?$/.test(trimmed) && Number(trimmed) > 0) return Number(trimmed);
  const shown = trimmed === '' ? 'nothing' : `"${trimmed.slice(0, 40)}"`;
  throw invalidInput(field, `${name}: expected a number above 0 and below 1000, got ${shown}`);
}

function invalidInput(field: string, reason: string): ClientError {
  return new ClientError('invalid-input', `${reason}.`, { field });
}
