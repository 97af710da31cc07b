import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { canonicalRoot, requireWebId } from '../../pod/addresses.js';
import { connect, disconnect } from '../../run/connect.js';
import { unobserved } from '../../run/observer.js';
import { acquireAnalysisLock } from '../../store/analysis-lock.js';
import { joinOthers } from '../../thread/join-others.js';
import type { Mode } from '../mode.js';
import { version } from '../version.js';

/**
 * Forgets kept shares. Those that are still in the inbox are read again by the next analysis, as if
 * they were new.
 */
export const mode: Mode = async ({ args: [webId], has, env, cwd, verbose, print }) => {
  const root = rootOf(webId, has('all'));
  const { config, secrets, warnings } = await loadConfig({ env, cwd });
  const log = createLogger({ verbose });
  for (const warning of warnings) log.warn(warning);
  const settings = { config, secrets, version, log, observer: unobserved };
  const { podReader, leave } = await joinOthers(settings);
  const connection = await connect(config, secrets, undefined, { podReader });
  try {
    const lock = await acquireAnalysisLock(config.output.state_dir, {
      onWait: () => log.info('Another process runs an analysis; waiting for its end.'),
    });
    try {
      for (const warning of await connection.ledger.refresh()) log.warn(warning);
      const count = await connection.ledger.forget(root);
      print(`shares forgotten  ${count}`);
    } finally {
      await lock.release();
    }
  } finally {
    await Promise.all([disconnect(connection), leave()]);
  }
};

/** Null for every Pod. */
function rootOf(webId: string | undefined, all: boolean): string | null {
  if (all && webId === undefined) return null;
  if (all || webId === undefined) {
    throw new AnalyserError('configuration', 'Give either one WebID or --all.');
  }
  return canonicalRoot(requireWebId(webId).webId);
}
