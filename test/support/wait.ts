import { onAbort } from '../../src/base/on-abort.js';

/** Rejects with the reason when the signal aborts before; without an end it waits for that alone. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let forget = (): void => undefined;
    const isEndless = milliseconds === Number.POSITIVE_INFINITY;
    const over = () => {
      forget();
      resolve();
    };
    const timer = isEndless ? undefined : setTimeout(over, milliseconds);
    if (signal === undefined) return;
    forget = onAbort(signal, () => {
      clearTimeout(timer);
      const reason: unknown = signal.reason;
      reject(reason);
    });
  });
}
