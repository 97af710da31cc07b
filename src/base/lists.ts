/** The list cut into pieces of at most this many; none for an empty list. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** The items by their key, in their order. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The first of each list, then the second of each, and so on. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const ranked = lists.flatMap((list) => list.map((item, rank) => ({ item, rank })));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}

/** The order of texts by their characters, the same in every language. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
