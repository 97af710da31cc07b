import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { connect } from '../../run/connection.js';
import { changeMemory, memoryPlace } from '../../run/remember/keep-memory.js';
import { openResultsStore } from '../../store/results-store.js';
import type { ModeContext } from '../mode.js';
import { describeRelease } from './describe-release.js';
import { withLock } from './with-lock.js';

/** Shows which cohort figures callers are sent. With --confirm, withheld figures are sent again. */
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
    const place = memoryPlace(connection, config, results.history);
    const show = async () => {
      const found = await place.read();
      const { summary, lines } = describeRelease(config, found, new Date());
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
    await withLock(config, createLogger(context), () =>
      changeMemory(place, ({ memory }) => ({ ...memory, withheld: null })),
    );
    print('Confirmed: figures are sent out again from the next analysis on.');
    await show();
  } finally {
    await connection.close();
  }
}
