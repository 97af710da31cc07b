import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import { connect } from '../../run/connection.js';
import { unobserved } from '../../run/observer.js';
import { changeMemory } from '../../run/remember/change-memory.js';
import { memoryPlace } from '../../run/remember/keep-memory.js';
import { openResultsStore } from '../../store/results-store.js';
import { joinOthers } from '../../thread/join-others.js';
import type { ModeContext } from '../mode.js';
import { version } from '../version.js';
import { describeRelease } from './describe-release.js';
import { inOwnTurn } from './own-turn.js';

/** Shows which cohort figures callers are sent; lets them be sent again after they were withheld. */
export async function showRelease(
  context: ModeContext,
  { confirm: isConfirming = false }: { confirm?: boolean },
): Promise<void> {
  const { print, printError } = context;
  const { config, secrets, warnings } = await loadConfig(context);
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  const connection = await connect(config, secrets);
  try {
    const results = openResultsStore(config.output.results_dir);
    const place = memoryPlace(connection, config.output, results);
    const show = async () => {
      const found = await place.read();
      const { summary, lines } = describeRelease(releaseRules(config), found, new Date());
      print(summary);
      for (const line of lines) print(`  ${line}`);
      return found.memory.withheld;
    };
    const withheld = await show();
    if (!isConfirming) return;
    if (withheld === null) {
      print('Nothing is withheld, so there is nothing to confirm.');
      return;
    }
    const log = createLogger(context);
    const settings = { config, secrets, version, log, observer: unobserved };
    const joined = await joinOthers(settings);
    try {
      await inOwnTurn(joined, settings, () =>
        changeMemory(place, ({ memory }) => ({ ...memory, withheld: null })),
      );
    } finally {
      await joined.leave();
    }
    print('Confirmed: figures are sent out again from the next analysis on.');
    await show();
  } finally {
    await connection.close();
  }
}
