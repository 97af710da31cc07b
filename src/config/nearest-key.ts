import { z } from 'zod';

/** The keys of a section, seen through wrappers such as defaults; undefined for a single value. */
export function sectionShape(schema: unknown): Record<string, unknown> | undefined {
  let inner = schema;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable
  ) {
    inner = inner.unwrap();
  }
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

/** Every key with a value of its own, as `section.key`. */
export function listKeys(schema: unknown, path: readonly string[] = []): string[][] {
  const shape = sectionShape(schema);
  if (shape === undefined) return [[...path]];
  return Object.entries(shape).flatMap(([name, value]) => listKeys(value, [...path, name]));
}

/** The key that was probably meant, by its spelling; the same section is preferred. */
export function nearestKey(schema: unknown, section: string, name: string): string | undefined {
  const known = listKeys(schema);
  const names = new Set(
    known.flatMap((path) => path.map((_, end) => path.slice(0, end + 1).join('.'))),
  );
  let best: { key: string; distance: number } | undefined;
  for (const key of names) {
    const at = key.lastIndexOf('.');
    const last = key.slice(at + 1);
    const here = key.slice(0, Math.max(at, 0)) === section;
    const distance = editDistance(name, last) + (here ? 0 : 1);
    const allowed = Math.max(here ? 2 : 1, Math.floor(last.length / 3));
    if (distance <= allowed && (best === undefined || distance < best.distance)) {
      best = { key, distance };
    }
  }
  return best?.key;
}

/** The Levenshtein distance: how many letters to insert, delete or replace. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
