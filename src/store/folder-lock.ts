import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AnalyserError, codeOf } from '../base/errors.js';
import { diskError, makeFolder, openStored } from './files.js';

/** The process that answers calls holds `service`; the process that runs an analysis holds `analysis`. */
export type LockName = 'analysis' | 'service';

export type FolderLock = Awaited<ReturnType<typeof acquireLock>>;

export interface LockOptions {
  signal?: AbortSignal;
  about?: string;
  /** Called once, if another process holds the lock and this one has to wait. */
  onWait?: () => void;
  /** Makes the error to throw instead of waiting, from the description of the holder. */
  refuse?: (about: string) => Error;
}

const LOOK_EVERY_MS = 200;
/** A reader of the state holds the lock for a moment. It must not pass for a holder, so the first looks come quickly. */
const FIRST_LOOKS = 3;
const FIRST_LOOK_EVERY_MS = 20;

/**
 * A lock of a state folder, which one process at a time can hold. The kernel keeps it on an open file, and frees it when
 * the process ends in any way; a process that is only paused keeps it. The text of the file describes the holder to
 * people. It is emptied when the lock is given back, so a text without a lock tells of a process that was killed.
 */
export async function acquireLock(
  stateDir: string,
  name: LockName,
  { signal, about = `process ${process.pid}`, onWait, refuse }: LockOptions = {},
) {
  signal?.throwIfAborted();
  const { tryLock } = await loadLocks();
  const path = lockPath(stateDir, name);
  const file = await openToHold(stateDir, path);
  try {
    for (let looks = 1; !tryLock(file.fd); looks += 1) {
      if (looks === FIRST_LOOKS && refuse !== undefined) throw refuse(await textOf(file));
      if (looks === FIRST_LOOKS) onWait?.();
      const wait = looks < FIRST_LOOKS ? FIRST_LOOK_EVERY_MS : LOOK_EVERY_MS;
      await delay(wait, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      signal?.throwIfAborted();
    }
    // The text of the last holder may be longer.
    await file.truncate();
    await file.write(about, 0);
  } catch (error) {
    await file.close();
    throw codeOf(error) === null ? error : diskError('lock', path, error);
  }
  let unlocking: Promise<void> | null = null;
  return {
    /** Throws if somebody has removed or replaced the file, so that another process can hold a lock too. */
    async requireHeld() {
      const [held, found] = await Promise.all([file.stat(), stat(path).catch(() => null)]);
      if (found?.ino !== held.ino || found.dev !== held.dev) throw replacedError(path);
    },
    unlock() {
      unlocking ??= giveBack(file);
      return unlocking;
    },
  };
}

async function openToHold(stateDir: string, path: string): Promise<FileHandle> {
  try {
    await makeFolder(stateDir);
    const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
    return await open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o640);
  } catch (error) {
    throw diskError('write', path, error);
  }
}

/** A text that cannot be emptied does no harm: closing the file frees the lock in any case. */
async function giveBack(file: FileHandle): Promise<void> {
  await file.truncate().catch(() => undefined);
  await file.close();
}

export interface LockState {
  /** killed: the process of the last holder ended without giving the lock back. */
  state: 'alive' | 'killed' | 'stopped';
  /** When the holder took the lock, or gave it back. */
  at: Date;
  /** The holder's description of itself; empty for a lock that was given back. */
  about: string;
}

/** The state of the last holder; null if there never was one. For readers, which may not be allowed to write. */
export async function readLockState(stateDir: string, name: LockName): Promise<LockState | null> {
  const path = lockPath(stateDir, name);
  const file = await openStored(path);
  if (file === null) return null;
  try {
    const { tryLock, unlock } = await loadLocks();
    const about = await textOf(file);
    const { mtime: at } = await file.stat();
    const isFree = tryLock(file.fd, { shared: true });
    if (!isFree) return { state: 'alive', at, about };
    unlock(file.fd);
    return { state: about === '' ? 'stopped' : 'killed', at, about };
  } catch (error) {
    throw codeOf(error) === null ? error : diskError('lock', path, error);
  } finally {
    await file.close();
  }
}

const MOST_TEXT = 1_000;

async function textOf(file: FileHandle): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(MOST_TEXT), 0, MOST_TEXT, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

let locks: ReturnType<typeof importLocks> | undefined;

/** Loaded when it is needed: the modes of an app work where it cannot be loaded. */
function loadLocks() {
  locks ??= importLocks();
  return locks;
}

function importLocks() {
  return import('fs-native-extensions').catch((cause: unknown) => {
    throw new AnalyserError(
      'configuration',
      `The locks of files are not there for this system (${process.platform} on ${process.arch}): fs-native-extensions has them for Linux with glibc and for macOS, and not for musl, as in Alpine Linux. Run the service on one of these.`,
      { cause },
    );
  });
}

function replacedError(path: string): AnalyserError {
  return new AnalyserError(
    'disk',
    `Somebody has removed or replaced ${path} during this analysis, so it writes nothing more. Leave the files of a service that runs alone, and try again.`,
  );
}

function lockPath(stateDir: string, name: LockName): string {
  return join(stateDir, `${name}.lock`);
}
