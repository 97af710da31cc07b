import type { Config } from '../../config/schema.js';
import { varFolders } from '../../run/folders-of-config.js';
import { takeAnalysisLock } from '../../service/perform-turn.js';

/** Holds the analysis lock during the work, so that no process runs an analysis meanwhile. */
export async function withLock<T>(
  config: Pick<Config, 'analyser' | 'output'>,
  say: (text: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeAnalysisLock(varFolders(config), {
    onWait: () => say('Another process runs an analysis; waiting for its end.'),
  });
  try {
    return await work();
  } finally {
    await lock.unlock();
  }
}
