import { countOf } from '../base/sentences.js';
import { ClientError } from './client-error.js';
import { invalidInput } from './inputs.js';
import { type NewReading, parseNewReading } from './new-reading.js';

const MOST_SLIPS = 5;

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
  ['notes', /^notes?$/],
];
const wanted =
  'expected the columns timestamp (or date and time), systolic or sys, diastolic or dia, and perhaps heart_rate or pulse, and notes; units are (mmHg) and (bpm)';

/** A slip refuses the whole file, so that no import is done by half; `onIgnored` allows other columns. */
export function parseReadingsCsv(
  csv: string,
  dates?: DateOrder,
  onIgnored?: (names: string[]) => void,
): NewReading[] {
  const [header, ...rows] = rowsOf(csv.replace(/^\uFEFF/, ''));
  const columns = columnsOf(header?.cells ?? [], onIgnored);
  const slips: ClientError[] = [];
  const readings = rows.flatMap(({ line, cells }) => {
    const expected = `expected ${columns.length} cells, like the first line, got ${cells.length}.`;
    try {
      if (cells.length !== columns.length) throw new ClientError('invalid-input', expected);
      return readingOf((name) => cells[columns.indexOf(name)]?.trim() ?? '', dates);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      slips.push(wrong(line, error.message.slice(0, -1), error.field || undefined));
      return [];
    }
  });
  const [first] = slips;
  if (first === undefined) return readings;
  const message = slips.slice(0, MOST_SLIPS).map((slip) => slip.message);
  const more = slips.length - message.length;
  if (more > 0) message.push(`Of ${countOf(more, 'further line')} no reading can be made either.`);
  throw new ClientError('invalid-input', message.join('\n'), { field: first.field });
}

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

function readingOf(cell: (name: string) => string, dates?: DateOrder): NewReading {
  return parseNewReading({
    timestamp: isoTime(cell('timestamp') || `${cell('date')} ${cell('time')}`, dates),
    systolic: cell('systolic'),
    diastolic: cell('diastolic'),
    heartRate: cell('heart_rate'),
    notes: cell('notes'),
  });
}

/** Writes a time, perhaps with AM or PM, as ISO 8601 does; one in any other form stays as it is, and is refused. */
function isoTime(time: string, dates?: DateOrder): string {
  const pattern = /^(\S+?)[ T]+(\d{1,2})(:\S*?)(?: *([ap])\.?m\.?)?$/i;
  const [all, day = '', hour = '', rest = '', half] = pattern.exec(time) ?? [];
  if (all === undefined || (half !== undefined && !/^(0?[1-9]|1[0-2])$/.test(hour))) return time;
  const ofDay = (Number(hour) % (half === undefined ? 100 : 12)) + (/p/i.test(half ?? '') ? 12 : 0);
  return `${isoDay(day, dates)}T${String(ofDay).padStart(2, '0')}${rest}`;
}

function isoDay(time: string, dates?: DateOrder): string {
  const pattern = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;
  const [start = '', one = '', , other = '', year = ''] = pattern.exec(time) ?? [];
  if (start === '') return time;
  if (dates === undefined) {
    const expected =
      'expected a date such as 2026-08-19, or its order given as dates (--dates): dmy or mdy';
    throw invalidInput('timestamp', `${expected}, got "${time.slice(0, 40)}"`);
  }
  const [month, day] = dates === 'mdy' ? [one, other] : [other, one];
  return [year, month, day].map((number) => number.padStart(2, '0')).join('-');
}

interface Row {
  line: number;
  cells: string[];
}

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
