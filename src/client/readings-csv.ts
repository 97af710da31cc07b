import { ClientError } from './client-error.js';
import { invalidInput } from './inputs.js';
import { type NewReading, parseNewReading } from './new-reading.js';

/** In which order dates have their numbers if they are not written as 2026-08-19: day and month, or month and day. */
export type DateOrder = 'dmy' | 'mdy';

/** What the first line may call a column, in any case; measures may have their unit in brackets. */
const columnNames: readonly [string, RegExp][] = [
  ['timestamp', /^timestamp$/],
  ['date', /^date$/],
  ['time', /^time$/],
  ['systolic', /^sys(tolic)?( ?[([]mm ?hg[)\]])?$/],
  ['diastolic', /^dia(stolic)?( ?[([]mm ?hg[)\]])?$/],
  ['heart_rate', /^(heart[ _]rate|hr|pul(se?)?)( ?[([](bpm|(beats|1)?\/min)[)\]])?$/],
  ['notes', /^notes$/],
];
const wanted =
  'expected the columns timestamp (or date and time), systolic or sys, diastolic or dia, and perhaps heart_rate or pulse, and notes; units are (mmHg) and (bpm)';

/**
 * Reads a table of readings with commas or semicolons between its cells; the first line names the columns. What is not
 * understood refuses the whole file, so that no import is done by half. Only with `onIgnored`, columns with other names
 * are passed over, and it is told the names.
 */
export function parseReadingsCsv(
  csv: string,
  dates?: DateOrder,
  onIgnored?: (names: string[]) => void,
): NewReading[] {
  const [header, ...rows] = rowsOf(csv.replace(/^\uFEFF/, ''));
  const columns = columnsOf(header?.cells ?? [], onIgnored);
  return rows.map(({ line, cells }) => {
    if (cells.length === columns.length) {
      return readingOf(line, (name) => cells[columns.indexOf(name)]?.trim() ?? '', dates);
    }
    const expected = `expected ${columns.length} cells, like the first line, got ${cells.length}`;
    throw wrong(line, expected);
  });
}

/** The name of each column, empty for those that are passed over. */
function columnsOf(header: readonly string[], onIgnored?: (names: string[]) => void): string[] {
  const columns = header.map((cell) => {
    const heading = cell.trim().toLowerCase().replace(/\s+/g, ' ');
    return columnNames.find(([, pattern]) => pattern.test(heading))?.[0] ?? '';
  });
  const others = header.map((cell) => cell.trim()).filter((_, at) => columns[at] === '');
  if (others.length > 0 && onIgnored === undefined) {
    const got = others.map((name) => `"${name.slice(0, 40)}"`).join(', ');
    throw wrong(1, `${wanted}. Got ${got}, which only --ignore-columns passes over`);
  }
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (twice !== undefined) throw wrong(1, `${wanted}. Got two columns for ${twice}`);
  const time = columns.includes('timestamp') ? [] : ['date', 'time'];
  const missing = [...time, 'systolic', 'diastolic'].find((name) => !columns.includes(name));
  if (missing !== undefined) throw wrong(1, `${wanted}. There is no ${missing}`);
  if (others.length > 0) onIgnored?.(others);
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

interface Row {
  /** The line that it begins on. */
  line: number;
  cells: string[];
}

/** Leaves out empty rows. */
function rowsOf(csv: string): Row[] {
  const [separator] = /[,;]/.exec(csv) ?? [','];
  // A cell by RFC 4180, with what ends it.
  const cellPattern = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`,
    'y',
  );
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
    if (end === separator) continue;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    row = { line, cells: [] };
  }
  return rows;
}

function wrong(line: number, reason: string, field = 'csv'): ClientError {
  return new ClientError('invalid-input', `Line ${line} of the CSV: ${reason}.`, { field });
}
