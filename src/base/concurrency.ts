import { onAbort } from './on-abort.js';

/** Runs a limited number of tasks at once; the others wait in order of arrival. */
export class ConcurrencyLimit {
  #running = 0;
  // An array and not a Set; on-abort.ts says why.
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly size: number) {}

  /** A task that calls `leave` goes on without its place. Rejects when the wait for a place is aborted. */
  async run<T>(task: (leave: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#take(signal);
    let hasPlace = true;
    const leave = () => {
      if (!hasPlace) return;
      hasPlace = false;
      this.#running -= 1;
      while (this.#waiting.length > 0 && this.#running < this.size) this.#waiting.shift()?.();
    };
    try {
      signal?.throwIfAborted();
      return await task(leave);
    } finally {
      leave();
    }
  }

  async #take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#running < this.size && this.#waiting.length === 0) this.#running += 1;
    else await this.#wait(signal);
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        unfollow?.();
        this.#running += 1;
        resolve();
      };
      const unfollow =
        signal &&
        onAbort(signal, () => {
          this.#waiting.splice(this.#waiting.indexOf(admit), 1);
          const reason: unknown = signal.reason;
          reject(reason);
        });
      this.#waiting.push(admit);
    });
  }
}

/** Results in order. A failure is thrown as `workOff` throws it. */
export async function mapConcurrently<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  task: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = [...items].entries();
  await workOff(
    () => entries.next().value ?? null,
    atOnce,
    async ([index, item]) => {
      results[index] = await task(item, index);
    },
  );
  return results;
}

/**
 * Ends when `next` gives null and no item is in hand, because a finished item can bring more. A failure is thrown when
 * all started items have ended. When `again` aborts, `next` is called once more, because time can bring items as well.
 */
export function workOff<Item>(
  next: () => Item | null,
  atOnce: number,
  task: (item: Item) => Promise<void>,
  again?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    let inHand = 0;
    const forget = again && onAbort(again, () => inHand > 0 && start());
    const start = () => {
      try {
        while (failures.length === 0 && inHand < atOnce) {
          const item = next();
          if (item === null) break;
          inHand += 1;
          void work(item);
        }
      } catch (error) {
        failures.push(error);
      }
      if (inHand > 0) return;
      forget?.();
      if (failures.length > 0) reject(failures[0]);
      else resolve();
    };
    const work = async (item: Item) => {
      try {
        await task(item);
      } catch (error) {
        failures.push(error);
      }
      inHand -= 1;
      start();
    };
    start();
  });
}
