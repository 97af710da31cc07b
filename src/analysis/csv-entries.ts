import { type CsvRow, hasContent, readCsvRow } from './csv-rows.js';
import type { Entry, EntrySink } from './entry.js';

const delimiters = [',', ';', '\t'];
const LONGEST_HEADER = 65_536;
const LONGEST_ROW = 1_048_576;

interface Layout {
  delimiter: string;
  /** The position of each column; -1 for a missing one. */
  columns: Record<keyof NonNullable<Entry>, number>;
}

/** Reads the rows of a CSV, columns by name, from text that comes in pieces. */
export class CsvEntries {
  readonly #sink: EntrySink;
  #layout: Layout | null = null;
  /** The text that has come but is not read yet. */
  #text = '';

  constructor(sink: EntrySink) {
    this.#sink = sink;
  }

  /** Returns false when the sink wants no more; throws a SyntaxError when this is no such CSV. */
  push(text: string): boolean {
    this.#text += text;
    return this.#read(false);
  }

  end(): void {
    this.#read(true);
  }

  #read(isWhole: boolean): boolean {
    if (this.#layout === null && !this.#readHeader(isWhole)) return true;
    let position = 0;
    while (this.#layout !== null && position < this.#text.length) {
      const row = this.#rowAt(position, this.#layout.delimiter, isWhole);
      if (row === null) break;
      position = row.end;
      if (hasContent(row.cells) && !this.#sink(entryOf(row.cells, this.#layout))) return false;
    }
    this.#text = this.#text.slice(position);
    if (this.#text.length > LONGEST_ROW) throw new SyntaxError('A row does not end.');
    return true;
  }

  /** The first row that has content, by whichever delimiter makes it a header. */
  #readHeader(isWhole: boolean): boolean {
    for (const delimiter of delimiters) {
      let header: CsvRow | null = { cells: [], end: 0 };
      while (header !== null && !hasContent(header.cells) && header.end < this.#text.length) {
        header = this.#rowAt(header.end, delimiter, isWhole);
      }
      if (header === null || (!isWhole && !hasContent(header.cells))) {
        if (this.#text.length > LONGEST_HEADER) throw new SyntaxError('The header does not end.');
        return false;
      }
      this.#layout = findLayout(header.cells, delimiter);
      if (this.#layout === null) continue;
      this.#text = this.#text.slice(header.end);
      return true;
    }
    throw new SyntaxError('There is no header with systolic and diastolic.');
  }

  /** Null when the row may go on in the next piece, as when CR and LF are cut apart. */
  #rowAt(position: number, delimiter: string, isWhole: boolean): CsvRow | null {
    const row = readCsvRow(this.#text, position, delimiter);
    if (!isWhole) return row === null || row.end >= this.#text.length ? null : row;
    if (row === null) throw new SyntaxError('A quoted cell is never closed.');
    return row;
  }
}

function findLayout(header: readonly string[], delimiter: string): Layout | null {
  const names = header.map((name) => name.trim().toLowerCase().replace(/\s+/g, '_'));
  if (!names.includes('systolic') || !names.includes('diastolic')) return null;
  const columns = {
    timestamp: names.indexOf('timestamp'),
    systolic: names.indexOf('systolic'),
    diastolic: names.indexOf('diastolic'),
    heart_rate: names.indexOf('heart_rate'),
  };
  return { delimiter, columns };
}

function entryOf(row: readonly string[], { columns }: Layout): Entry {
  return {
    timestamp: row[columns.timestamp],
    systolic: row[columns.systolic],
    diastolic: row[columns.diastolic],
    heart_rate: row[columns.heart_rate],
  };
}
