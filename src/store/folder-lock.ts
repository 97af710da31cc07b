import { randomUUID } from 'node:crypto';
import { open, rm, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type AnalyserError, codeOf } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { diskError } from './disk-error.js';
import {
  highestNumber,
  isHeld,
  isUnlocked,
  type LockMark,
  type LockName,
  listNumbers,
  lockContent,
  lockPath,
  lostError,
  STALE_MS,
  unlocked,
} from './lock-file.js';
import { makeFolder } from './make-folder.js';
import { withFile } from './stored-file.js';

/**
 * A lock of a state folder, which one process at a time can hold: to run an analysis, or to serve calls.
 *
 * The lock files are numbered: `<name>-<n>.lock`. A holder creates the file with the next number, which only one
 * process can do. The file with the highest number counts, and it is deleted only if no text could be written into it.
 * After its holder has unlocked it or has died, the lock goes to the first process that creates n + 1. No process
 * removes a lock in order to take it, so two takers cannot remove each other's file. A taker that looked at an outdated
 * list finds a higher number after it has created its own file, and steps back.
 *
 * A holder touches its file again and again. A process that has watched the file for a while and seen no change takes
 * the holder for dead. It compares no clocks, and it does not look for the holder's process, which may be on another
 * machine. A holder that was only paused learns from `requireLock` that it has lost the lock, before it writes again.
 */
export interface FolderLock {
  /** True if the previous holder did not unlock the lock, or if no previous holder is known. */
  readonly afterCrash: boolean;
  readonly mark: LockMark;
  unlock(): Promise<void>;
}

export interface LockOptions {
  signal?: AbortSignal;
  /** Describes the holder to people. */
  about?: string;
  /** Called once, if another process holds the lock and this one has to wait. */
  onWait?: () => void;
  /**
   * How long to wait for a living holder, and the error to throw after that. The time must be longer than `staleMs`.
   */
  giveUp?: { afterMs: number; error: (about: string) => Error };
  /** Called once, when another process has taken over the lock, or somebody has removed its file. */
  onLost?: (error: AnalyserError) => void;
  pollMs?: number;
  beatMs?: number;
  staleMs?: number;
}

/** How often a holder shows that it is alive. It sets the time of its file, which needs no free space on the disk. */
export const BEAT_MS = 5_000;
/** Each look adds at most this much to the time of watching, because a paused process did not watch meanwhile. */
const LONGEST_LOOK_MS = 1_000;

export async function acquireLock(
  stateDir: string,
  name: LockName,
  options: LockOptions = {},
): Promise<FolderLock> {
  const { signal, about = '', onWait, giveUp, pollMs = 200, staleMs = STALE_MS } = options;
  await makeFolder(stateDir).catch((error: unknown) => {
    throw diskError('create', stateDir, error);
  });
  const isSilent = watchSilence(staleMs);
  const since = performance.now();
  let told = false;
  while (true) {
    signal?.throwIfAborted();
    const number = await highestNumber(stateDir, name);
    const holder =
      number === 0 ? nobody : await readHolder(lockPath(stateDir, name, number), isSilent);
    if (holder.state !== 'held') {
      const mark = await take(stateDir, name, number + 1, about);
      if (mark !== null) return hold(mark, holder.state === 'abandoned', options);
      continue;
    }
    if (giveUp !== undefined && performance.now() - since >= giveUp.afterMs) {
      throw giveUp.error(holder.about);
    }
    if (!told) onWait?.();
    told = true;
    await delay(pollMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

function hold(
  mark: LockMark,
  afterCrash: boolean,
  { beatMs = BEAT_MS, onLost }: LockOptions,
): FolderLock {
  const { path } = mark;
  let beat: Promise<void> | null = null;
  const touch = async () => {
    if (await isHeld(mark)) {
      await utimes(path, new Date(), new Date());
    } else {
      clearInterval(timer);
      onLost?.(lostError());
    }
  };
  const timer = setInterval(() => {
    // While a beat hangs, no second one is started. A beat that fails is ignored, because the next one may work.
    beat ??= touch()
      .catch(() => undefined)
      .finally(() => {
        beat = null;
      });
  }, beatMs);
  timer.unref();
  let unlocking: Promise<void> | null = null;
  const unlock = async () => {
    clearInterval(timer);
    if (!(await isHeld(mark))) return;
    await writeFile(path, unlocked, { flag: 'r+' }).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw diskError('write', path, error);
    });
  };
  return {
    afterCrash,
    mark,
    unlock() {
      unlocking ??= unlock();
      return unlocking;
    },
  };
}

const nobody = { state: 'abandoned' as const, about: '' };

async function readHolder(
  path: string,
  isSilent: (beat: string) => boolean,
): Promise<{ state: 'unlocked' | 'abandoned' | 'held'; about: string }> {
  const file = await withFile(path, async (found) => ({
    text: await found.read(),
    beat: `${path} ${found.identity}`,
  }));
  // The file is gone, usually because a file with a higher number was just created. The next look finds the new file.
  if (file === null) return { state: 'held', about: '' };
  if (isUnlocked(file.text)) return { state: 'unlocked', about: '' };
  // Perhaps the text is not written yet, or never will be.
  const about = lockContent.safeParse(parseJson(file.text)).data?.about ?? '';
  return { state: isSilent(file.beat) ? 'abandoned' : 'held', about };
}

/** Takes the lock with this number; null if another process was faster. */
async function take(
  stateDir: string,
  name: LockName,
  number: number,
  about: string,
): Promise<LockMark | null> {
  const path = lockPath(stateDir, name, number);
  const token = randomUUID();
  const file = await open(path, 'wx', 0o640).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return null;
    throw diskError('write', path, error);
  });
  if (file === null) return null;
  try {
    await file.writeFile(JSON.stringify({ token, about }));
  } catch (error) {
    // The others would have to wait for a lock without a text, so it is removed. The lock before it still stands.
    await remove(path);
    throw diskError('write', path, error);
  } finally {
    await file.close();
  }
  const numbers = await listNumbers(stateDir, name);
  const won = numbers.every((other) => other <= number);
  const outdated = won ? numbers.filter((other) => other < number) : [number];
  await Promise.all(outdated.map((other) => remove(lockPath(stateDir, name, other))));
  return won ? { path, stateDir, name, number, token } : null;
}

/** Ignores errors, because an outdated lock that stays does no harm. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Adds up the time for which the holder's file was seen unchanged. */
function watchSilence(staleMs: number): (beat: string) => boolean {
  let seen = '';
  let silentMs = 0;
  let lookedAt = 0;
  return (beat) => {
    const now = performance.now();
    silentMs = beat === seen ? silentMs + Math.min(now - lookedAt, LONGEST_LOOK_MS) : 0;
    seen = beat;
    lookedAt = now;
    return silentMs >= staleMs;
  };
}
