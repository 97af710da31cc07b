import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { serversOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import { moveClaims } from '../../memory/claims.js';
import { digestsOf } from '../../memory/digests.js';
import { forget } from '../../memory/forget.js';
import { canonicalPlace, canonicalRoot } from '../../pod/addresses.js';
import { podIds } from '../../pod/pod-id.js';
import { connect } from '../../run/connection.js';
import { erasePod } from '../../run/remember/erase-pod.js';
import { changeMemory, memoryPlace } from '../../run/remember/keep-memory.js';
import { openChartStore } from '../../store/chart-store.js';
import { openResultsStore } from '../../store/results-store.js';
import type { ModeContext } from '../mode.js';
import { withLock } from './with-lock.js';

interface ForgetFlags {
  all?: boolean;
  erase?: boolean;
  keysTo?: string;
}

/**
 * Makes the memory forget a Pod, every Pod below an address, or all Pods. The next analysis treats everything that
 * is still shared as new.
 */
export async function forgetPlace(
  context: ModeContext,
  place: string | undefined,
  { all = false, erase: isErasing = false, keysTo }: ForgetFlags,
): Promise<void> {
  const { print } = context;
  const below = placeOf(place, all);
  if (isErasing && place?.endsWith('#me') !== true) {
    throw new AnalyserError('configuration', '--erase needs the WebID of one person.');
  }
  const newRoot = newRootOf(place, keysTo);
  const { config, secrets, warnings } = await loadConfig(context);
  const log = createLogger(context);
  for (const warning of warnings) log.warn(warning);
  const connection = await connect(config, secrets);
  try {
    await withLock(config, log, async () => {
      const results = openResultsStore(config.output.results_dir);
      const charts = openChartStore(config.output);
      const memory = memoryPlace(connection, config, results.history);
      const podIdOf = podIds(connection.pod.root, serversOf(config));
      let [shares, moved] = [0, 0];
      const chartsRemoved: string[] = [];
      await changeMemory(memory, async (found) => {
        const forgotten = forget(found.memory, below);
        let left = forgotten.memory;
        shares = forgotten.shares;
        if (newRoot !== null && below !== null) {
          const digestOf = digestsOf(found);
          const [from, to] = [digestOf('root', below), digestOf('root', newRoot)];
          const keys = moveClaims(left.claims, from, to);
          left = { ...left, claims: keys.claims };
          moved = keys.moved;
        }
        // Charts are removed before the memory forgets these Pods: after a crash in between, the same command still
        // finds the rest.
        const roots = isErasing && below !== null ? [...forgotten.roots, below] : forgotten.roots;
        for (const podId of new Set(roots.map(podIdOf))) {
          if (await charts.remove(podId)) chartsRemoved.push(podId);
        }
        return left;
      });
      print(`shares forgotten  ${shares}`);
      for (const podId of chartsRemoved) print(`chart removed     ${podId}`);
      if (newRoot !== null) {
        print(`keys moved        ${moved}: what they open counts in ${newRoot}, and nowhere else`);
      }
      if (!isErasing || below === null) return;
      const podId = podIdOf(below);
      for (const what of await erasePod({ connection, config, results, root: below, podId })) {
        print(what);
      }
      print(
        `${place} counts again with the next analysis while the Analyser may still read what was shared: ` +
          'set data.excluded_pods first, and forget again, if that must not happen. Nothing in that Pod was touched.',
      );
    });
  } finally {
    await connection.close();
  }
}

/** The root of the new Pod, which gets the keys of the other; null without --keys-to. */
function newRootOf(place: string | undefined, keysTo: string | undefined): string | null {
  if (keysTo === undefined) return null;
  const root = canonicalRoot(keysTo);
  if (root !== null && place?.endsWith('#me') === true) return root;
  throw new AnalyserError(
    'configuration',
    'Give both WebIDs: forget <old WebID> --keys-to <new WebID>.',
  );
}

/** The root or address below which Pods are forgotten; null for all Pods. */
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
