type Cell = [text: string, end: number];

/**
 * Reads the rows of a CSV by RFC 4180, with any line ending, and leaves out empty rows. It is a generator, so that a
 * caller who needs only the header does not read the rest. Throws a SyntaxError for a quote that is never closed.
 */
export function* csvRows(text: string, delimiter: string): Generator<string[]> {
  let position = 0;
  while (position < text.length) {
    const cells: string[] = [];
    let isInRow = true;
    while (isInRow) {
      const [content, end] =
        text[position] === '"'
          ? quotedCell(text, position, delimiter)
          : plainCell(text, position, delimiter);
      cells.push(content);
      isInRow = text[end] === delimiter && end + 1 < text.length;
      position = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    }
    if (cells.some((cell) => cell.trim() !== '')) yield cells;
  }
}

function quotedCell(text: string, start: number, delimiter: string): Cell {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new SyntaxError('A quoted cell is never closed.');
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

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === delimiter || character === '\n' || character === '\r';
}
