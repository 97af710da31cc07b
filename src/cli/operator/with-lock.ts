import type { Logger } from '../../base/logger.js';
import type { Config } from '../../config/schema.js';
import { acquireLock } from '../../store/folder-lock.js';

/** Holds the analysis lock during the work, so that no process runs an analysis meanwhile. */
export async function withLock(
  { output }: Pick<Config, 'output'>,
  log: Logger,
  work: () => Promise<void>,
): Promise<void> {
  const lock = await acquireLock(output.state_dir, 'analysis', {
    onWait: () => log.info('Another process runs an analysis; waiting for its end.'),
  });
  try {
    await work();
  } finally {
    await lock.unlock();
  }
}
