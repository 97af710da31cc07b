import { parseTime } from '../analysis/reading-time.js';
import { countOf } from '../base/sentences.js';
import { ClientError } from './client-error.js';
import { readTable } from './csv-columns.js';
import { type DayOrder, isoTime, orderOfDates } from './csv-dates.js';
import { doubtOfNotes, doubtOfUtc } from './csv-doubts.js';
import { csvRowName } from './csv-row-names.js';
import { invalidInput, type NewReading, parseNewReading } from './new-reading.js';
import { oneEachSecond } from './one-each-second.js';

/** No more wrong rows than this are named, because in a file of another kind every row can be wrong. */
const MOST_NAMED = 10;

export interface ReadingsOfCsv {
  /** Describes how the file was read: its kind, separator and order of dates. */
  form: string;
  /** The readings, no two with the same second, as a Pod holds one for each second. */
  readings: NewReading[];
  /** The name of the row that each reading comes from, such as "Row 2". */
  rows: string[];
  /** Questions about the file for the user. Questions about single readings come from `findDoubts`. */
  doubts: string[];
  /** Rows that were left out because they say the same as another row: "Row 5". */
  repeated: string[];
}

/**
 * Reads a table of readings as this project writes it, or an export of Withings or Omron. Columns are found by name,
 * in any order; heart rate and notes are optional. One wrong row refuses the whole file, so that no import is done by
 * half. A doubt about the file refuses it too, because this function cannot ask the user.
 */
export function parseReadingsCsv(csv: string): NewReading[] {
  const { readings, doubts } = readReadingsCsv(csv);
  if (doubts.length > 0) throw new ClientError('invalid-input', doubts, { field: 'csv' });
  return readings;
}

/** Reads the same files, and returns the doubts and a description of the file, which an app can show to the user. */
export function readReadingsCsv(csv: string): ReadingsOfCsv {
  const { form, separator, width, rows, cell } = readTable(csv);
  const texts = rows.map((row) => `${cell(row, 'timestamp')} ${cell(row, 'clock')}`);
  const order = orderOfDates(texts);
  const times = texts.map((text) => isoTime(text, order));
  const measures = rows.flatMap((row) =>
    (['systolic', 'diastolic', 'heart_rate'] as const).map((name) => cell(row, name)),
  );
  const hasCommas = decimalCommas(measures);
  const number = (text: string) => (hasCommas ? text.replace(',', '.') : text);
  const wrong: { row: string; error: ClientError }[] = [];
  const readings = rows.flatMap((row, index) => {
    try {
      requireFit(row, width);
      return parseNewReading({
        timestamp: times[index] ?? '',
        systolic: number(cell(row, 'systolic')),
        diastolic: number(cell(row, 'diastolic')),
        heartRate: number(cell(row, 'heart_rate')),
        notes: cell(row, 'notes'),
      });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      wrong.push({ row: csvRowName(index), error });
      return [];
    }
  });
  if (wrong.length > 0) throw wrongRows(wrong);
  const kept = oneEachSecond(readings);
  return {
    form: describeForm({ form, separator, order, hasCommas, hasOffsets: times.some(hasOffset) }),
    readings: kept.rows.map(({ reading }) => reading),
    rows: kept.rows.map(({ index }) => csvRowName(index)),
    doubts: [
      ...doubtOfUtc(times),
      ...(separator === ',' ? doubtOfNotes(readings) : []),
      ...kept.doubts,
    ],
    repeated: kept.repeated.map(csvRowName),
  };
}

/** Refuses a row with too many cells: in a file with commas, a decimal comma moves values into wrong columns. */
function requireFit(row: readonly string[], width: number): void {
  if (row.slice(width).every((cell) => cell.trim() === '')) return;
  throw invalidInput('csv', 'it has more cells than the first line');
}

/** Whether the file writes decimals with a comma; throws if it also has decimals with a point. */
function decimalCommas(measures: readonly string[]): boolean {
  const has = (mark: string) => measures.some((text) => text.includes(mark));
  if (has(',') && has('.')) {
    throw invalidInput('csv', 'The CSV has decimals with a comma and decimals with a point');
  }
  return has(',');
}

const separatorNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
};

function describeForm(seen: {
  form: string;
  separator: string;
  order: DayOrder;
  hasCommas: boolean;
  hasOffsets: boolean;
}): string {
  return [
    `The file is ${seen.form}`,
    `cells between ${separatorNames[seen.separator] ?? seen.separator}`,
    ...(seen.order === null ? [] : [`dates with the ${seen.order}`]),
    ...(seen.hasCommas ? ['decimal commas'] : []),
    ...(seen.hasOffsets ? ['times with an offset, which is left out'] : []),
  ].join(', ');
}

function hasOffset(time: string): boolean {
  return typeof parseTime(time)?.offset === 'number';
}

/** A line for each row that is named. */
function wrongRows(wrong: readonly { row: string; error: ClientError }[]): ClientError {
  const named = wrong.slice(0, MOST_NAMED);
  const lines = named.map(({ row, error }) => `${row} of the CSV: ${error.message}`);
  const more = wrong.length - named.length;
  if (more > 0) lines.push(`… and ${countOf(more, 'more row')}.`);
  return new ClientError('invalid-input', lines, { field: wrong[0]?.error.field ?? '' });
}
