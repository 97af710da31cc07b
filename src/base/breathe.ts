import { setImmediate } from 'node:timers/promises';

const LONGEST_STRETCH_MS = 2;

/**
 * For long loops on the main thread: awaiting the returned function lets other work go ahead
 * whenever this loop has held the thread for a while.
 */
export function createBreather(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_STRETCH_MS) return undefined;
    return setImmediate().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}

/** Like `map`, with pauses. */
export async function mapWithPauses<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
  signal?: AbortSignal,
): Promise<Result[]> {
  const breathe = createBreather(signal);
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    await breathe();
    results.push(map(item, index));
  }
  return results;
}
