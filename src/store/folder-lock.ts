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
 * One process at a time over one state folder: for an analysis, or to serve calls.
 *
 * Each holder creates the next file of a numbered row, `<name>-<n>.lock`, which only one process can.
 * The file with the highest number counts, and it is never deleted. Once its holder has unlocked it or
 * has died, the lock goes to the first process that creates n + 1. Nobody ever removes a lock in order
 * to take it, so two takers cannot remove each other's. A taker that looked at an outdated row finds a
 * higher number after creating its own, and steps back.
 *
 * A holder touches its file. A process that has watched the file for a while and seen it unchanged takes
 * the holder for dead: no clocks are compared, and no process is looked for, which may be one of another
 * machine. A holder that was only paused finds out by `requireLock`, before it writes anything more.
 */
export interface FolderLock {
  /** True when the holder before this one did not unlock it, or no holder is known. */
  readonly afterCrash: boolean;
  readonly mark: LockMark;
  unlock(): Promise<void>;
}

export interface LockOptions {
  signal?: AbortSignal;
  /** Who holds it, for people. */
  about?: string;
  /** Called once, when another process holds the lock. */
  onWait?: () => void;
  /** How long to wait for a holder that lives, and the error that is thrown then. The time must exceed `staleMs`. */
  giveUp?: { afterMs: number; error: (about: string) => Error };
  /** Called once, when another process has taken the lock over. */
  onLost?: (error: AnalyserError) => void;
  pollMs?: number;
  beatMs?: number;
  staleMs?: number;
}

/** How often a holder says that it lives: by the time of its file, which needs no free space. */
export const BEAT_MS = 5_000;
/** Each look counts as at most so much watching: a process that was kept from looking for longer has not watched. */
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
    // On a disk that hangs, no second beat waits behind the first. A beat that fails ends nothing: the next one may work.
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
  // The file is gone because a file with a higher number has just been created; the next look finds that one.
  if (file === null) return { state: 'held', about: '' };
  if (isUnlocked(file.text)) return { state: 'unlocked', about: '' };
  // The text may not be written yet, or may never be written.
  const about = lockContent.safeParse(parseJson(file.text)).data?.about ?? '';
  return { state: isSilent(file.beat) ? 'abandoned' : 'held', about };
}

/** Null when somebody else was faster. */
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
    // A lock without its text would hold everybody up. The lock before it still stands.
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

/** An outdated lock that stays does no harm. */
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
