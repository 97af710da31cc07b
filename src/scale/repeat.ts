import { setTimeout as pause } from 'node:timers/promises';

/** Again and again, with a pause in between, until `signal` is aborted. */
export async function repeat(
  everyMs: number,
  signal: AbortSignal,
  act: () => Promise<void> | void,
): Promise<void> {
  while (!signal.aborted) {
    await act();
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
