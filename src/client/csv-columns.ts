import { csvRows } from '../analysis/csv-rows.js';
import { invalidInput } from './new-reading.js';

type Column = 'timestamp' | 'clock' | 'systolic' | 'diastolic' | 'heart_rate' | 'notes';

interface KnownColumn {
  column: Column;
  /** The headings that apps and devices give this column, the best heading first. */
  names: readonly [string, ...string[]];
  /** Names the missing values in a message; absent for a column that a file may lack. */
  what?: string;
  /** The unit of the values. A heading that names no unit is taken to mean this one. */
  unit?: string;
}

const known: readonly KnownColumn[] = [
  { column: 'timestamp', names: ['timestamp', 'measurement date', 'date'], what: 'the time' },
  { column: 'clock', names: ['time'] },
  { column: 'systolic', names: ['systolic', 'sys'], what: 'the systolic value', unit: 'mm Hg' },
  { column: 'diastolic', names: ['diastolic', 'dia'], what: 'the diastolic value', unit: 'mm Hg' },
  { column: 'heart_rate', names: ['heart rate', 'pulse'], unit: 'bpm' },
  { column: 'notes', names: ['notes', 'comments'] },
];

export interface CsvTable {
  separator: string;
  /** The kind of file, judged by its columns, such as "an export of Omron". */
  form: string;
  rows: string[][];
  cell: (row: readonly string[], column: Column) => string;
  /** The number of cells in the first line. */
  width: number;
}

/** Reads the rows of a CSV; its first line shows the separator and the columns. */
export function readTable(csv: string): CsvTable {
  const text = csv.replace(/^\uFEFF/, '');
  const headers = [',', ';', '\t'].map((separator) => {
    const [header = []] = rowsOf(text, separator, 1);
    return { separator, columns: header.map(columnOf) };
  });
  const [best = { separator: ',', columns: [] }] = headers.toSorted(
    (one, other) => placesOf(other.columns).size - placesOf(one.columns).size,
  );
  const { separator, columns } = best;
  const places = placesOf(columns);
  for (const { column, names, what } of known) {
    if (what === undefined || places.has(column)) continue;
    const quoted = names.map((name) => `"${name}"`).join(', ');
    throw invalidInput(
      column,
      `The CSV has no column for ${what} in its first line; looked for ${quoted}`,
    );
  }
  for (const each of known) requireUnit(each, columns[places.get(each.column) ?? -1]?.unit);
  return {
    separator,
    form: formOf(columns.map(({ name }) => name)),
    width: columns.length,
    rows: rowsOf(text, separator).slice(1),
    cell: (row, column) => withoutDash(row[places.get(column) ?? -1] ?? ''),
  };
}

function rowsOf(text: string, separator: string, most = Number.POSITIVE_INFINITY): string[][] {
  const rows: string[][] = [];
  try {
    for (const row of csvRows(text, separator)) {
      rows.push(row);
      if (rows.length === most) break;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidInput('csv', 'The CSV has a quote that is never closed');
  }
  return rows;
}

interface Heading {
  name: string;
  /** The text in brackets behind the name; null without brackets. */
  unit: string | null;
}

function columnOf(heading: string): Heading {
  const [, name = '', unit = null] = /^([^([]*)(?:[([](.*)[)\]])?/.exec(heading.trim()) ?? [];
  return {
    name: name
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, ' '),
    unit,
  };
}

/** The place of each known column. If several headings fit a column, the heading with the best name is taken. */
function placesOf(columns: readonly Heading[]): Map<Column, number> {
  const found = columns.map(({ name }) => name);
  return new Map(
    known.flatMap(({ column, names }) => {
      const name = names.find((each) => found.includes(each));
      return name === undefined ? [] : [[column, found.indexOf(name)]];
    }),
  );
}

function requireUnit(
  { column, names: [name], unit: wanted }: KnownColumn,
  unit: string | null = null,
): void {
  if (unit === null || wanted === undefined || plain(unit) === plain(wanted)) return;
  throw invalidInput(
    column,
    `The CSV has its ${name} in "${unit.slice(0, 20)}"; only ${wanted} can be imported`,
  );
}

function plain(unit: string): string {
  return unit.replace(/\s/g, '').toLowerCase();
}

function formOf(names: readonly string[]): string {
  const has = (...some: string[]) => some.every((name) => names.includes(name));
  if (has('timestamp')) return 'a table of readings';
  if (has('date', 'time', 'pulse')) return 'an export of Omron';
  if (has('date', 'heart rate', 'comments')) return 'an export of Withings';
  return 'a table of readings with other names';
}

/** Some devices write a dash in place of a missing value. */
function withoutDash(cell: string): string {
  return /^\s*[-–]+\s*$/.test(cell) ? '' : cell;
}
