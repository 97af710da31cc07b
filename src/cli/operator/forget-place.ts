import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { digestsOf } from '../../memory/digests.js';
import { forget } from '../../memory/forget.js';
import { canonicalPlace } from '../../pod/addresses.js';
import { ownedBy } from '../../run/conclude/conclude.js';
import { connect } from '../../run/connection.js';
import { unobserved } from '../../run/observer.js';
import { changeMemory } from '../../run/remember/change-memory.js';
import { erasePod } from '../../run/remember/erase-pod.js';
import { memoryPlace } from '../../run/remember/keep-memory.js';
import { openChartStore } from '../../store/chart-store.js';
import { openResultsStore } from '../../store/results-store.js';
import { joinOthers } from '../../thread/join-others.js';
import type { ModeContext } from '../mode.js';
import { version } from '../version.js';
import { inOwnTurn } from './own-turn.js';

interface ForgetFlags {
  all?: boolean;
  erase?: boolean;
}

/**
 * Forgets what is remembered of a Pod, of all below an address, or of everybody. What is still shared
 * is read by the next analysis as if it were new.
 */
export async function forgetPlace(
  context: ModeContext,
  place: string | undefined,
  { all = false, erase: isErasing = false }: ForgetFlags,
): Promise<void> {
  const { print } = context;
  const below = placeOf(place, all);
  if (isErasing && place?.endsWith('#me') !== true) {
    throw new AnalyserError('configuration', '--erase needs the WebID of one person.');
  }
  const { config, secrets, warnings } = await loadConfig(context);
  const log = createLogger(context);
  for (const warning of warnings) log.warn(warning);
  const settings = { config, secrets, version, log, observer: unobserved };
  const joined = await joinOthers(settings);
  const { openValues } = joined.podReader;
  const connection = await connect(config, secrets, undefined, { openValues });
  try {
    await inOwnTurn(joined, settings, async () => {
      const results = openResultsStore(config.output.results_dir);
      const charts = openChartStore(config.output);
      const memory = memoryPlace(connection, config.output, results);
      let isTheirs: (chartStem: string) => boolean = () => false;
      let shares = 0;
      await changeMemory(memory, (found) => {
        const digestOf = digestsOf(found);
        const forgotten = forget(found.memory, below, (key) => digestOf('key', key));
        shares = forgotten.shares;
        const roots = isErasing && below !== null ? [...forgotten.roots, below] : forgotten.roots;
        isTheirs = ownedBy(roots, found.memory, digestOf);
        return forgotten.memory;
      });
      print(`shares forgotten  ${shares}`);
      for (const stem of await charts.list()) {
        if (!isTheirs(stem)) continue;
        await charts.remove(stem);
        print(`chart removed     ${stem}`);
      }
      if (!isErasing || below === null) return;
      const resultsDir = config.sharing.results_dir;
      for (const what of await erasePod({ connection, results, resultsDir, isTheirs }, below)) {
        print(what);
      }
      print(
        `${place} counts again with the next analysis while the Analyser may still read what was shared: ` +
          'set data.excluded_pods first, and forget again, if that must not happen. Nothing in that Pod was touched.',
      );
    });
  } finally {
    await Promise.all([connection.close(), joined.leave()]);
  }
}

/** Null for everything. */
function placeOf(place: string | undefined, all: boolean): string | null {
  if (all && place === undefined) return null;
  if (all || place === undefined) {
    throw new AnalyserError(
      'configuration',
      'Give either one WebID, an address that ends in a slash, or --all.',
    );
  }
  const below = canonicalPlace(place);
  if (below !== null) return below;
  throw new AnalyserError(
    'configuration',
    `"${place.slice(0, 200)}" is neither a WebID, a URL that ends in /profile/card#me, nor an address that ends in a slash.`,
  );
}
