/**
 * Works on the items that `next` gives, up to `atOnce` at a time. The work ends when `next` gives null and no item
 * is in hand, because a finished item can bring more items. After the first failure no further item is started; the
 * failure is thrown when all started items have ended.
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
