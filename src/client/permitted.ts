import { mapConcurrently } from '../base/concurrency.js';
import { ServerError } from '../base/errors.js';

/** What was found where the server let us look, and its refusals. */
export interface Permitted<T> {
  found: T[];
  refusals: ServerError[];
}

/** Like mapConcurrently and flat, but a refusal of the server does not end the work on the other items. */
export async function mapPermitted<Item, T>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<readonly T[]>,
): Promise<Permitted<T>> {
  const refusals: ServerError[] = [];
  const found = await mapConcurrently(items, atOnce, (item) =>
    task(item).catch((error: unknown) => {
      if (!(error instanceof ServerError) || error.failure !== 'refused') throw error;
      refusals.push(error);
      return [];
    }),
  );
  return { found: found.flat(), refusals };
}
