type Cell = [text: string, end: number];

/**
 * RFC 4180 with any line ending; rows without content are left out. Lazy, so that a look at the
 * header costs no more than the header. Throws a SyntaxError when a quote is never closed.
 */
export function* csvRows(text: string, delimiter: string): Generator<string[]> {
  let row: string[] = [];
  let position = 0;
  while (position < text.length) {
    const [cell, end]: Cell =
      text[position] === '"'
        ? quotedCell(text, position, delimiter)
        : plainCell(text, position, delimiter);
    row.push(cell);
    if (text[end] === delimiter) {
      position = end + 1;
      continue;
    }
    position = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    if (hasContent(row)) yield row;
    row = [];
  }
  if (hasContent(row)) yield row;
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

function hasContent(row: string[]): boolean {
  return row.some((cell) => cell.trim() !== '');
}

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === delimiter || character === '\n' || character === '\r';
}
