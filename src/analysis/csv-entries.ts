import { type CsvRow, columnNames, hasContent, readCsvRow } from './csv-rows.js';
import { figuresOf } from './figures.js';
import type { Entry, EntrySink } from './reading.js';

const delimiters = [',', ';', '\t'];
const LONGEST_HEADER = 65_536;
const LONGEST_ROW = 1_048_576;

interface Layout {
  delimiter: string;
  columns: readonly string[];
}

/** Reads the rows of a CSV, columns by name, from text that comes in pieces. */
export class CsvEntries {
  #layout: Layout | null = null;
  /** The text that has come but is not read yet. */
  #text = '';

  constructor(private readonly sink: EntrySink) {}

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
      if (hasContent(row.cells) && !this.sink(entryOf(row.cells, this.#layout))) return false;
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
  const columns = columnNames(header);
  return columns.includes('systolic') && columns.includes('diastolic')
    ? { delimiter, columns }
    : null;
}

function entryOf(row: readonly string[], { columns }: Layout): Entry {
  const cell = (name: string) => row[columns.indexOf(name)];
  return { timestamp: cell('timestamp'), ...figuresOf(cell) };
}
