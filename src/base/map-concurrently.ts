/**
 * Like Promise.all over `items`, with a bounded number of tasks at once and results in order.
 * After the first failure no further item is started; it is thrown when all started tasks have
 * ended, so that none of them runs on unnoticed.
 */
export async function mapConcurrently<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  task: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const iterator = items[Symbol.iterator]();
  let index = 0;
  const failures: unknown[] = [];
  const work = async () => {
    while (failures.length === 0) {
      const next = iterator.next();
      if (next.done === true) return;
      const position = index++;
      try {
        results[position] = await task(next.value, position);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
