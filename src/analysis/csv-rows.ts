type Cell = [text: string, end: number];

export interface CsvRow {
  cells: string[];
  /** Where the next row begins. */
  end: number;
}

/**
 * The rows by RFC 4180, with any line ending; empty rows are left out. A generator, so that
 * looking at the header costs no more than the header. Throws a SyntaxError for an open quote.
 */
export function* csvRows(text: string, delimiter: string): Generator<string[]> {
  let position = 0;
  while (position < text.length) {
    const row = readCsvRow(text, position, delimiter);
    if (row === null) throw new SyntaxError('A quoted cell is never closed.');
    position = row.end;
    if (hasContent(row.cells)) yield row.cells;
  }
}

/** Null when a quote is open at the end of the text. */
export function readCsvRow(text: string, start: number, delimiter: string): CsvRow | null {
  const cells: string[] = [];
  let position = start;
  for (;;) {
    const cell: Cell | null =
      text[position] === '"'
        ? quotedCell(text, position, delimiter)
        : plainCell(text, position, delimiter);
    if (cell === null) return null;
    const [content, end] = cell;
    cells.push(content);
    if (text[end] !== delimiter) {
      return { cells, end: text.startsWith('\r\n', end) ? end + 2 : end + 1 };
    }
    position = end + 1;
    if (position === text.length) return { cells, end: position };
  }
}

function quotedCell(text: string, start: number, delimiter: string): Cell | null {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return null;
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') {
      const [rest, end] = plainCell(text, quote + 1, delimiter);
      return [parts.join('') + rest, end];
    }
    parts.push('"');
    from = quote + 2;
  }
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && !isEnd(text[end], delimiter)) end++;
  return [text.slice(start, end), end];
}

export function columnNames(header: readonly string[]): string[] {
  return header.map((name) => name.trim().toLowerCase().replace(/\s+/g, '_'));
}

export function hasContent(row: readonly string[]): boolean {
  return row.some((cell) => cell.trim() !== '');
}

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === delimiter || character === '\n' || character === '\r';
}
