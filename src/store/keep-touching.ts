import { utimes } from 'node:fs/promises';

/** How often a process says that it lives. */
export const BEAT_MS = 5_000;
/** Three beats that did not come. */
const SILENT_AFTER_MS = 15_000;

/**
 * A process says that it lives, to those who only see its files, by the time of one of them. To
 * change it needs no free space on the disk. `onMissed` is called when it could not be changed.
 */
export function keepTouching(
  path: string,
  everyMs = BEAT_MS,
  onMissed = async (): Promise<void> => {},
): { stop(): Promise<void> } {
  let beat: Promise<void> | null = null;
  const timer = setInterval(() => {
    const now = new Date();
    // On a disk that hangs, no second one waits behind the first.
    beat ??= utimes(path, now, now)
      .catch(onMissed)
      // A missed beat is not worth a crash; the next one may succeed.
      .catch(() => undefined)
      .finally(() => {
        beat = null;
      });
  }, everyMs);
  timer.unref();
  return {
    /** Afterwards the file is not touched any more. */
    async stop() {
      clearInterval(timer);
      await beat;
    },
  };
}

/** Whether whoever touches a file has done so lately. */
export function isRecent(beat: Date): boolean {
  return Date.now() - beat.getTime() < SILENT_AFTER_MS;
}
