import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { connect, disconnect } from '../../run/connect.js';
import { releaseRules } from '../../run/release/cohort-release.js';
import {
  keepRelease,
  type ReleasePlace,
  readKeptRelease,
  releasePlace,
} from '../../run/release/kept-release.js';
import { describeRelease } from '../describe-release.js';
import { exitCodes } from '../exit-codes.js';
import type { Mode } from '../mode.js';

export const mode: Mode = {
  async run(context) {
    const { options, print, printError } = context;
    const { config, secrets, warnings } = await loadConfig(context);
    for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
    const rules = releaseRules(config);
    if (rules === null) {
      print('sharing.cohort_release is not set: callers are sent the exact figures.');
      return exitCodes.ok;
    }
    await withPlace(config, secrets, async (place) => {
      const show = async () => {
        const kept = await readKeptRelease(place);
        const { summary, lines } = describeRelease(rules, kept, new Date());
        print(summary);
        for (const line of lines) print(`  ${line}`);
        return kept;
      };
      const kept = await show();
      if (options['confirm'] !== true) return;
      if (kept.withheld === null) {
        print('Nothing is withheld, so there is nothing to confirm.');
        return;
      }
      await keepRelease(place, kept, kept.record);
      print('Confirmed: figures are sent out again from the next analysis on.');
      await show();
    });
    return exitCodes.ok;
  },
};

async function withPlace(
  config: Config,
  secrets: Secrets,
  use: (place: ReleasePlace) => Promise<void>,
): Promise<void> {
  const connection = await connect(config, secrets);
  try {
    await use(releasePlace(connection, config.output));
  } finally {
    await disconnect(connection);
  }
}
