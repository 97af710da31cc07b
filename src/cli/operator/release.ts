import { loadConfig } from '../../config/load-config.js';
import { connect } from '../../run/connection.js';
import { memoryAccess } from '../../run/remember/memory-access.js';
import { openResultsStore } from '../../store/results-store.js';
import type { ModeContext } from '../mode.js';
import { describeLastSent, describeRelease, withheldNow } from './describe-release.js';
import { withLock } from './with-lock.js';

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
    const access = memoryAccess(connection, config, results.history);
    const { memory } = await access.read();
    const say = async (known: typeof memory) => {
      print(describeRelease(config, await withheldNow(known, results), known, new Date()));
      const latest = await results.readLatest();
      const sent = latest.state === 'found' ? describeLastSent(config, latest.document) : null;
      if (sent !== null) print(sent);
    };
    if (!isConfirming) {
      await say(memory);
    } else if (memory.withheld === null) {
      print('Nothing is withheld, so there is nothing to confirm.');
    } else {
      await withLock(config, printError, () =>
        access.change(({ memory: newest }) => ({ ...newest, withheld: null }), true),
      );
      print('Confirmed: figures are sent out again from the next analysis on.');
      await say({ ...memory, withheld: null });
    }
  } finally {
    await connection.close();
  }
}
