import { join } from 'node:path';
import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { listFolder } from './atomic-file.js';
import { withFile } from './stored-file.js';

/** The process that answers calls holds `service`; the process that runs an analysis holds `analysis`. */
export type LockName = 'analysis' | 'service';

/** A lock is stale after three missing beats of its holder. */
export const STALE_MS = 15_000;
/** To unlock, this is written over the start of the file, which needs no free space on the disk. */
export const unlocked = 'unlocked\n';
/** `about` describes the holder to people. */
export const lockContent = z.object({ token: z.string(), about: z.string() });

/** Identifies a lock that this process holds. Its other threads get the mark too. */
export interface LockMark {
  path: string;
  stateDir: string;
  name: LockName;
  number: number;
  token: string;
}

/** Throws if the holder has lost this lock. */
export async function requireLock(mark: LockMark): Promise<void> {
  if (!(await isHeld(mark))) throw lostError();
}

export interface LockState {
  state: 'alive' | 'silent' | 'stopped';
  /** When the holder last touched the lock, or when it unlocked it. */
  at: Date;
  /** The holder's description of itself; empty for an unlocked lock. */
  about: string;
}

/**
 * The state of the last holder, judged by its file; null if there never was a holder. There is no time to watch the
 * file, so the time of the file is compared with the clock. This function never takes over a lock.
 */
export async function readLockState(stateDir: string, name: LockName): Promise<LockState | null> {
  const number = await highestNumber(stateDir, name);
  return await withFile(lockPath(stateDir, name, number), async (file) => {
    const at = file.modified;
    const text = await file.read();
    if (isUnlocked(text)) return { state: 'stopped' as const, at, about: '' };
    const about = lockContent.safeParse(parseJson(text)).data?.about ?? '';
    const isRecent = Date.now() - at.getTime() < STALE_MS;
    return { state: isRecent ? ('alive' as const) : ('silent' as const), at, about };
  });
}

export async function isHeld({ path, stateDir, name, number, token }: LockMark): Promise<boolean> {
  if ((await highestNumber(stateDir, name)) !== number) return false;
  const held = await withFile(path, async (file) => {
    const content = lockContent.safeParse(parseJson(await file.read()));
    return content.data?.token === token;
  });
  return held ?? false;
}

export function isUnlocked(text: Buffer): boolean {
  return text.toString().startsWith(unlocked);
}

export function lostError(): AnalyserError {
  return new AnalyserError(
    'timeout',
    'The service was paused for so long that another process took its turn over, so it writes nothing more. Try again.',
  );
}

/** The number of the lock that counts; zero if there is no lock. */
export async function highestNumber(stateDir: string, name: LockName): Promise<number> {
  return Math.max(0, ...(await listNumbers(stateDir, name)));
}

export async function listNumbers(stateDir: string, name: LockName): Promise<number[]> {
  const names = await listFolder(stateDir);
  return names.flatMap((file) => {
    const [, of, digits] = /^([a-z]+)-(\d{1,15})\.lock$/.exec(file) ?? [];
    return of === name ? [Number(digits)] : [];
  });
}

export function lockPath(stateDir: string, name: LockName, number: number): string {
  return join(stateDir, `${name}-${number}.lock`);
}
