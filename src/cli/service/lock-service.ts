import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { describeBuild } from '../../base/build.js';
import { AnalyserError, isDiskError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import { formatAddress } from '../../ports/port-error.js';
import { varFolders } from '../../run/folders-of-config.js';
import { takeAnalysisLock } from '../../service/perform-turn.js';
import { acquireLock, type FolderLock } from '../../store/folder-lock.js';
import { readMemoryNote } from '../../store/memory-note.js';
import { ownBuild } from '../own-build.js';

/** How long a disk that fails is left alone before the next try. */
const RETRY_MS = 5_000;

/**
 * Makes this process the only one that answers calls for its state folder. Rejects when another process answers them
 * already, or when the folder belongs to another Analyser. A folder that cannot be written is tried again in the
 * background; meanwhile the service is not ready. Returns what lets the lock go.
 */
export async function lockService(config: Config, log: Logger): Promise<() => Promise<void>> {
  const { grpc, analyser, output } = config;
  const { state_dir } = output;
  const leaving = new AbortController();
  const { signal } = leaving;
  let lock: FolderLock | null = null;
  const address = formatAddress(grpc.host, grpc.port);
  const about = `${describeBuild(ownBuild)}, process ${process.pid} on ${hostname()}, at ${address}, since ${formatUtc(new Date())}`;

  const take = async () => {
    await readMemoryNote(state_dir, analyser.web_id);
    const taken = await acquireLock(state_dir, 'service', {
      about,
      refuse: (other) => otherService(`for ${state_dir} (${other})`),
    });
    if (signal.aborted) await taken.unlock();
    else lock = taken;
  };
  const takeLater = async (): Promise<void> => {
    await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    await take().catch((error: unknown) => {
      if (!isDiskError(error)) log.error({ err: error }, 'The state folder could not be locked.');
      return takeLater();
    });
  };

  await take().catch((error: unknown) => {
    if (!isDiskError(error)) throw error;
    log.warn({ err: error }, 'The state folder cannot be written; the service goes on trying.');
    void takeLater();
  });
  clearUp(config, signal);
  return async () => {
    leaving.abort();
    await lock?.unlock();
  };
}

export function otherService(which: string): AnalyserError {
  return new AnalyserError(
    'port',
    `Another service answers the calls ${which}. Stop it first: there is one for each Analyser, and workers make it faster.`,
  );
}

/** Removes what a killed process has left, which else would lie there until somebody calls. */
function clearUp(config: Config, signal: AbortSignal): void {
  takeAnalysisLock(varFolders(config), { signal })
    .then((lock) => lock.unlock())
    .catch(() => undefined);
}
