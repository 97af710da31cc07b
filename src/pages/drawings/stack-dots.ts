/** The rows of dots above and below the middle row. */
const ROWS = 3;

/**
 * Dots that would cover each other are moved up and down in turn, by rows: 0, 1, -1, 2, -2, … A dot that finds no room
 * is left out, which limits how many dots a page has. `size` is the width of a dot, in the units of `x`.
 */
export function stackDots<T extends { x: number }>(
  dots: readonly T[],
  size: number,
): (T & { row: number })[] {
  const endsOfRows = Array.from({ length: 2 * ROWS + 1 }, () => Number.NEGATIVE_INFINITY);
  return dots
    .toSorted((one, other) => one.x - other.x)
    .flatMap((dot) => {
      const found = endsOfRows.findIndex((end) => dot.x >= end);
      if (found === -1) return [];
      endsOfRows[found] = dot.x + size;
      return [{ ...dot, row: found % 2 === 1 ? (found + 1) / 2 : -found / 2 || 0 }];
    });
}
