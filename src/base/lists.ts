export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) getOrAdd(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** What the map has for the key; without that, what `make` makes is added to it. */
export function getOrAdd<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  make: () => NoInfer<Value>,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Compares texts by their characters, so that the order is the same in every language. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

export function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const number of numbers) all += number;
  return all;
}

export function present<T>(items: readonly (T | null | undefined)[]): T[] {
  return items.filter((item) => item !== null && item !== undefined);
}
