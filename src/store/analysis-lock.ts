import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { listFolder } from './atomic-file.js';
import { diskError } from './disk-error.js';
import { BEAT_MS, isRecent, keepTouching } from './keep-touching.js';
import { makeFolder } from './make-folder.js';
import {
  identifyThisProcess,
  lookUpProcess,
  type ProcessIdentity,
  processIdentity,
} from './process-identity.js';
import { withFile } from './stored-file.js';

/**
 * One analysis at a time over one state folder, across processes.
 *
 * Each holder creates the next file of a numbered row, `analysis-<n>.lock`, which only one can.
 * The highest number counts, and it is never deleted: released, or left by a dead process,
 * it invites whoever creates n + 1 first. Nobody ever removes a lock in order to take it,
 * so two takers cannot remove each other's. A taker that looked at an outdated row finds a
 * higher number after creating its own, and steps back.
 */
export interface AnalysisLock {
  release(): Promise<void>;
  /** True when the holder before this one did not release it, or no holder is known. */
  readonly afterCrash: boolean;
}

export interface AnalysisLockOptions {
  signal?: AbortSignal;
  /** Called once, when another process holds the lock. */
  onWait?: () => void;
  pollMs?: number;
  /** How often a holder says that it lives, for processes that cannot see it. */
  heartbeatMs?: number;
  /** How long a holder that cannot be seen may be silent. */
  silenceMs?: number;
}

/** Written over the beginning of the file: that needs no free space on the disk. */
const released = 'released\n';

export async function acquireAnalysisLock(
  stateDir: string,
  options: AnalysisLockOptions = {},
): Promise<AnalysisLock> {
  const { signal, onWait, pollMs = 200, heartbeatMs = BEAT_MS, silenceMs = 30_000 } = options;
  const own = await identifyThisProcess();
  const isSilent = watchSilence(silenceMs);
  await makeFolder(stateDir).catch((error: unknown) => {
    throw diskError('create', stateDir, error);
  });
  let told = false;
  while (true) {
    signal?.throwIfAborted();
    const highest = Math.max(0, ...(await listNumbers(stateDir)));
    const state = await stateOf(stateDir, highest, own, isSilent);
    if (state !== 'held') {
      const path = await take(stateDir, highest + 1, own);
      if (path !== null) return hold(path, heartbeatMs, state === 'abandoned');
    } else {
      if (!told) onWait?.();
      told = true;
      await delay(pollMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }
}

/** Whether the last holder lives, as far as its file tells; readers of the disk ask. */
export async function isAnalysisLockAlive(stateDir: string): Promise<boolean> {
  const highest = Math.max(0, ...(await listNumbers(stateDir)));
  const isAlive = await withFile(lockPath(stateDir, highest), ({ modified }) => isRecent(modified));
  return isAlive ?? false;
}

function hold(path: string, everyMs: number, afterCrash: boolean): AnalysisLock {
  const touching = keepTouching(path, everyMs);
  let release: Promise<void> | null = null;
  return {
    afterCrash,
    release() {
      void touching.stop();
      release ??= writeFile(path, released, { flag: 'r+' }).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw diskError('write', path, error);
      });
      return release;
    },
  };
}

async function stateOf(
  stateDir: string,
  number: number,
  own: ProcessIdentity,
  isSilent: (beat: string) => boolean,
): Promise<'released' | 'abandoned' | 'held'> {
  if (number === 0) return 'abandoned';
  const path = lockPath(stateDir, number);
  const file = await withFile(path, async (found) => ({
    text: (await found.read()).toString(),
    identity: found.identity,
  }));
  // It is gone because a higher one has just been created; the next look finds that.
  if (file === null) return 'held';
  if (file.text.startsWith(released)) return 'released';
  // The text may still be being written, or never will be.
  const holder = processIdentity.safeParse(parseJson(file.text));
  const state = holder.success ? await lookUpProcess(holder.data, own) : 'unknown';
  const isGone = state === 'dead' || (state === 'unknown' && isSilent(`${path} ${file.identity}`));
  return isGone ? 'abandoned' : 'held';
}

/** The path of the lock, or null when somebody else was faster. */
async function take(
  stateDir: string,
  number: number,
  own: ProcessIdentity,
): Promise<string | null> {
  const path = lockPath(stateDir, number);
  const file = await open(path, 'wx').catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return null;
    throw diskError('write', path, error);
  });
  if (file === null) return null;
  try {
    await file.writeFile(JSON.stringify(own));
  } catch (error) {
    // Without its text it would hold everybody up; the lock before it still stands.
    await remove(path);
    throw diskError('write', path, error);
  } finally {
    await file.close();
  }
  const numbers = await listNumbers(stateDir);
  const won = numbers.every((other) => other <= number);
  const outdated = won ? numbers.filter((other) => other < number) : [number];
  await Promise.all(outdated.map((other) => remove(lockPath(stateDir, other))));
  return won ? path : null;
}

/** An outdated lock that stays does no harm. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Measures by this process's own clock: those of other machines may be wrong. */
function watchSilence(silenceMs: number): (beat: string) => boolean {
  let seen = '';
  let since = 0;
  return (beat) => {
    if (beat !== seen) since = performance.now();
    seen = beat;
    return performance.now() - since >= silenceMs;
  };
}

async function listNumbers(stateDir: string): Promise<number[]> {
  const names = await listFolder(stateDir);
  return names.flatMap((name) => {
    const digits = /^analysis-(\d{1,15})\.lock$/.exec(name)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

function lockPath(stateDir: string, number: number): string {
  return join(stateDir, `analysis-${number}.lock`);
}
