import { onTestFinished, vi } from 'vitest';

/**
 * Stops the timers of these kinds until the end of the test. Returns a function that lets time pass for them, and a
 * moment for what they caused.
 */
export function holdTimers(...toFake: ('setInterval' | 'setTimeout')[]) {
  const clear = { setInterval: 'clearInterval', setTimeout: 'clearTimeout' } as const;
  const moment = setTimeout;
  vi.useFakeTimers({ toFake: toFake.flatMap((kind) => [kind, clear[kind]]) });
  onTestFinished(() => void vi.useRealTimers());
  return async (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    await new Promise((resolve) => moment(resolve, 100));
  };
}
