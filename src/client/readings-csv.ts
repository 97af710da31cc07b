import { ClientError } from './client-error.js';
import { invalidInput } from './inputs.js';
import { type NewReading, parseNewReading } from './new-reading.js';

/** In which order dates have their numbers if they are not written as 2026-08-19: day and month, or month and day. */
export type DateOrder = 'dmy' | 'mdy';

const names = 'timestamp, date, time, systolic, diastolic, heart_rate, notes'.split(', ');
const shortNames = new Map([
  ['sys', 'systolic'],
  ['dia', 'diastolic'],
  ['pulse', 'heart_rate'],
]);
const wanted =
  'expected the columns timestamp (or date and time), systolic or sys, diastolic or dia, and perhaps heart_rate or pulse, and notes';

/**
 * Reads a table of readings with commas between its cells; the first line names the columns. A line that is not
 * understood refuses the whole file, so that no import is done by half.
 */
export function parseReadingsCsv(csv: string, dates?: DateOrder): NewReading[] {
  const [header, ...rows] = rowsOf(csv.replace(/^\uFEFF/, ''));
  const columns = columnsOf(header?.cells ?? []);
  return rows.map(({ line, cells }) => {
    if (cells.length === columns.length) {
      return readingOf(line, (name) => cells[columns.indexOf(name)]?.trim() ?? '', dates);
    }
    const expected = `expected ${columns.length} cells, like the first line, got ${cells.length}`;
    throw wrong(line, expected);
  });
}

function columnsOf(header: readonly string[]): string[] {
  const columns = header.map((cell) => {
    const name = cell.trim().toLowerCase().replace(/\s+/g, '_');
    return shortNames.get(name) ?? name;
  });
  const odd = columns.find((name, at) => !names.includes(name) || columns.indexOf(name) !== at);
  if (odd !== undefined) throw wrong(1, `${wanted}, each once, got "${odd.slice(0, 40)}"`);
  const time = columns.includes('timestamp') ? [] : ['date', 'time'];
  const missing = [...time, 'systolic', 'diastolic'].find((name) => !columns.includes(name));
  if (missing !== undefined) throw wrong(1, `${wanted}; there is no ${missing}`);
  return columns;
}

function readingOf(line: number, cell: (name: string) => string, dates?: DateOrder): NewReading {
  try {
    return parseNewReading({
      timestamp: isoTime(cell('timestamp') || `${cell('date')} ${cell('time')}`, dates),
      systolic: cell('systolic'),
      diastolic: cell('diastolic'),
      heartRate: cell('heart_rate'),
      notes: cell('notes'),
    });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw wrong(line, error.message.slice(0, -1), error.field);
  }
}

/** Puts the numbers of a date in the order of ISO 8601; a time in any other form stays as it is, and is refused. */
function isoTime(time: string, dates?: DateOrder): string {
  const pattern = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})[ T]+(\d{1,2})(?=:)/;
  const [start = '', one = '', , other = '', year = '', hour = ''] = pattern.exec(time) ?? [];
  if (start === '') return time;
  if (dates === undefined) {
    const expected =
      'expected a date such as 2026-08-19, or its order given as dates (--dates): dmy or mdy';
    throw invalidInput('timestamp', `${expected}, got "${time.slice(0, 40)}"`);
  }
  const [month, day] = dates === 'mdy' ? [one, other] : [other, one];
  const date = [year, month, day].map((number) => number.padStart(2, '0')).join('-');
  return `${date}T${hour.padStart(2, '0')}${time.slice(start.length)}`;
}

/** A cell by RFC 4180, with what ends it. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n?|\n|$)/y;

interface Row {
  /** The line that it begins on. */
  line: number;
  cells: string[];
}

/** Leaves out empty rows. */
function rowsOf(csv: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let { line } = row;
  for (let at = 0; at < csv.length || row.cells.length > 0; ) {
    cellPattern.lastIndex = at;
    const [all, quoted, plain = '', end] = cellPattern.exec(csv) ?? [];
    if (all === undefined) throw wrong(line, 'expected each quote around a whole cell, and closed');
    row.cells.push(quoted?.replaceAll('""', '"') ?? plain);
    at += all.length;
    line += all.split(/\r\n?|\n/).length - 1;
    if (end === ',') continue;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    row = { line, cells: [] };
  }
  return rows;
}

function wrong(line: number, reason: string, field = 'csv'): ClientError {
  return new ClientError('invalid-input', `Line ${line} of the CSV: ${reason}.`, { field });
}
