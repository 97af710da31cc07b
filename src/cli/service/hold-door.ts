import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { describeBuild } from '../../base/build.js';
import { AnalyserError, isDiskError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { formatAddress } from '../../base/port-error.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import { varFolders } from '../../run/var-folders.js';
import { takeAnalysisLock } from '../../service/perform-turn.js';
import { acquireLock, BEAT_MS, type FolderLock } from '../../store/folder-lock.js';
import { STALE_MS } from '../../store/lock-file.js';
import { ownBuild } from '../own-build.js';

/**
 * After this time, the lock of a service that was killed is stale, so a lock that is still held has a living holder.
 */
const LONGEST_WAIT_MS = STALE_MS + BEAT_MS;

export interface Door {
  /** Resolves only when this process must not serve any more, with the reason. */
  lost: Promise<Error>;
  leave: () => Promise<void>;
}

/**
 * Makes this process the only one that answers calls for its state folder. Its lock shows other processes that it is
 * alive. Rejects when another process answers the calls already. If the folder cannot be written, this keeps trying
 * in the background, and meanwhile the service reports that it is not ready.
 */
export async function holdDoor(
  config: Pick<Config, 'analyser' | 'data' | 'grpc' | 'output'>,
  log: Logger,
): Promise<Door> {
  const { grpc, output } = config;
  const { state_dir } = output;
  const leaving = new AbortController();
  const { signal } = leaving;
  let lock: FolderLock | null = null;
  let tellLost: (reason: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    tellLost = resolve;
  });
  const address = formatAddress(grpc.host, grpc.port);
  const about = `${describeBuild(ownBuild)}, process ${process.pid} on ${hostname()}, at ${address}, since ${formatUtc(new Date())}`;

  const take = async () => {
    lock = await acquireLock(state_dir, 'service', {
      signal,
      about,
      onWait: () =>
        log.info('Another service has this state folder; finding out whether it lives takes 15 s.'),
      giveUp: { afterMs: LONGEST_WAIT_MS, error: (other) => otherService(state_dir, other) },
      // Another process has taken the lock, or somebody has removed the folder.
      onLost: () => void takeAgain(),
    });
  };
  const takeAgain = async (): Promise<void> => {
    try {
      await take();
    } catch (error) {
      if (signal.aborted) return;
      if (!isDiskError(error)) {
        tellLost(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      await pause(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await takeAgain();
    }
  };

  clearUp(config, signal);
  await take().catch((error: unknown) => {
    if (!isDiskError(error)) {
      leaving.abort();
      throw error;
    }
    log.warn({ err: error }, 'The state folder cannot be written; the service goes on trying.');
    void takeAgain();
  });
  return {
    lost,
    async leave() {
      leaving.abort();
      await lock?.unlock();
    },
  };
}

function otherService(stateDir: string, about: string): AnalyserError {
  const who = about === '' ? '' : ` (${about})`;
  return new AnalyserError(
    'port',
    `Another service answers the calls for ${stateDir}${who}. Stop it first: there is one for each Analyser, and workers make it faster.`,
  );
}

/**
 * Takes over the analysis lock of a killed process and removes its half-written files, so that the first caller need
 * not wait for that. If another process runs an analysis, this waits for its end.
 */
function clearUp(config: Pick<Config, 'analyser' | 'data' | 'output'>, signal: AbortSignal): void {
  takeAnalysisLock(varFolders(config), { signal })
    .then((lock) => lock.unlock())
    .catch(() => undefined);
}
