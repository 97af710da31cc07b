/**
 * Works on what `next` gives, up to `atOnce` at a time, until it gives null and nothing is in hand: what
 * is done can bring more. After the first failure nothing is started any more; it is thrown when all that
 * was started has ended.
 */
export function workOff<Item>(
  next: () => Item | null,
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    let inHand = 0;
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
