export interface Dot<T> {
  item: T;
  x: number;
  /** Distance from the middle line. */
  offset: number;
}

/**
 * Dots that would cover each other are moved up and down in turn, but never further than `reach`. A dot that finds no
 * room is left out. This also limits how many dots are drawn.
 */
export function stackDots<T>(
  items: readonly { item: T; x: number }[],
  size: number,
  reach: number,
): Dot<T>[] {
  const placed: Dot<T>[] = [];
  const sorted = [...items].sort((a, b) => a.x - b.x);
  const rows = Math.max(1, Math.floor(reach / size));
  for (const { item, x } of sorted) {
    const near = new Set<number>();
    for (let index = placed.length - 1; index >= 0; index--) {
      const other = placed[index];
      if (other === undefined || x - other.x >= size) break;
      near.add(other.offset);
    }
    const free = offsets(rows).find((row) => !near.has(row * size));
    if (free !== undefined) placed.push({ item, x, offset: free * size });
  }
  return placed;
}

/** 0, 1, -1, 2, -2, … */
function offsets(rows: number): number[] {
  return Array.from({ length: rows * 2 + 1 }, (_, index) =>
    index % 2 === 1 ? (index + 1) / 2 : -index / 2 || 0,
  );
}
