import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { canonicalRoot } from '../../pod/addresses.js';
import { connect, disconnect } from '../../run/connect.js';
import { unobserved } from '../../run/observer.js';
import { acquireAnalysisLock } from '../../store/analysis-lock.js';
import { exitCodes } from '../exit-codes.js';
import { joinOthers } from '../joining.js';
import type { Mode } from '../mode.js';

/**
 * Lets go of what was kept of shares. Whoever is still in the inbox is read again at the next
 * analysis, like somebody new.
 */
export const mode: Mode = {
  async run({ args: [webId], options, env, cwd, verbose, print }) {
    const root = rootOf(webId, options['all'] === true);
    const { config, secrets, warnings } = await loadConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of warnings) log.warn(warning);
    const { podReader, leave } = await joinOthers(config, secrets, log, unobserved);
    const { sharedRecords } = podReader;
    const { signal } = new AbortController();
    const connection = await connect(config, secrets, signal, { sharedRecords });
    try {
      const lock = await acquireAnalysisLock(config.output.state_dir, {
        onWait: () => log.info('Another process runs an analysis; waiting for its end.'),
      });
      try {
        for (const warning of await connection.ledger.refresh()) log.warn(warning);
        const count = await connection.ledger.forget(root);
        print(`shares let go  ${count}`);
      } finally {
        await lock.release();
      }
    } finally {
      await Promise.all([disconnect(connection), leave()]);
    }
    return exitCodes.ok;
  },
};

/** Null: of every Pod. */
function rootOf(webId: string | undefined, all: boolean): string | null {
  if (all && webId === undefined) return null;
  if (all || webId === undefined) {
    throw new AnalyserError('configuration', 'Give either one WebID or --all.');
  }
  const root = canonicalRoot(webId);
  if (root !== null) return root;
  const message = `${webId} is not a WebID: it should be a URL that ends in /profile/card#me.`;
  throw new AnalyserError('configuration', message);
}
