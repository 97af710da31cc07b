import { csvRows } from './csv-rows.js';
import { measureNames, type Reading } from './reading.js';
import { parseTime, timeOfFileName } from './reading-time.js';

export interface ParsedReadings {
  readings: Reading[];
  /** Entries without systolic or diastolic: they are no readings. */
  incomplete: number;
}

/** What one entry of a file says, before anything is believed; null for what is no entry. */
type Entry = Record<'timestamp' | (typeof measureNames)[number], unknown> | null;

const delimiters = [',', ';', '\t'];

/**
 * The readings in the text of a decrypted or plain file (POD-FORMATS section 6): JSON, one
 * entry or a list, or CSV with its columns by name. Null when the text is neither; an empty
 * list and a CSV that is only a header are valid, and empty.
 */
export function parseReadings(text: string, file: { fileName: string }): ParsedReadings | null {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const entries = /^\s*[[{]/.test(content) ? jsonEntries(content) : csvEntries(content);
  if (entries === null) return null;
  const readings: Reading[] = [];
  let incomplete = 0;
  let recognised = entries.length === 0;
  // The name of a file with several entries tells when it was exported, not measured.
  const fileTime = entries.length === 1 ? timeOfFileName(file.fileName) : null;
  for (const entry of entries) {
    const reading = entry === null ? null : readingOf(entry, fileTime);
    recognised ||= entry !== null;
    if (reading === null) incomplete++;
    else readings.push(reading);
  }
  return recognised ? { readings, incomplete } : null;
}

function readingOf(entry: NonNullable<Entry>, fileTime: number | null): Reading | null {
  const systolic = parseMeasure(entry.systolic);
  const diastolic = parseMeasure(entry.diastolic);
  if (systolic === null || diastolic === null) return null;
  const heart_rate = parseMeasure(entry.heart_rate);
  return { time: parseTime(entry.timestamp) ?? fileTime, systolic, diastolic, heart_rate };
}

/** Not Number(): it takes '', '0x76' and 'Infinity' for numbers. */
function parseMeasure(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== 'string' || value.length > 64) return null;
  const trimmed = value.trim();
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

function jsonEntries(text: string): Entry[] | null {
  const value = orNull<unknown>(() => JSON.parse(text));
  if (Array.isArray(value)) return value.map(jsonEntry);
  return isRecord(value) ? [jsonEntry(value)] : null;
}

function jsonEntry(value: unknown): Entry {
  if (!isRecord(value)) return null;
  // Older files have the measures at the top level.
  const responses = value['responses'];
  const measures = isRecord(responses) ? responses : value;
  if (measures === value && !measureNames.some((name) => Object.hasOwn(value, name))) return null;
  return {
    timestamp: value['timestamp'],
    systolic: measures['systolic'],
    diastolic: measures['diastolic'],
    heart_rate: measures['heart_rate'],
  };
}

function csvEntries(text: string): Entry[] | null {
  return orNull(() => {
    for (const delimiter of delimiters) {
      const rows = csvRows(text, delimiter);
      const header = rows.next();
      if (header.done === true) return null;
      const names = header.value.map((name) => name.trim().toLowerCase().replace(/\s+/g, '_'));
      if (!names.includes('systolic') || !names.includes('diastolic')) continue;
      const column = (name: string) => names.indexOf(name);
      const timestamp = column('timestamp');
      const systolic = column('systolic');
      const diastolic = column('diastolic');
      const heartRate = column('heart_rate');
      return Array.from(rows, (row) => ({
        timestamp: row[timestamp],
        systolic: row[systolic],
        diastolic: row[diastolic],
        heart_rate: row[heartRate],
      }));
    }
    return null;
  });
}

function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
