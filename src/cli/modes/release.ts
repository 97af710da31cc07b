import { loadConfig } from '../../config/load-config.js';
import { connect, disconnect } from '../../run/connect.js';
import { releaseRules } from '../../run/release/cohort-release.js';
import { keepRelease, readKeptRelease, releasePlace } from '../../run/release/kept-release.js';
import { describeRelease } from '../describe-release.js';
import type { Mode } from '../mode.js';

export const mode: Mode = async (context) => {
  const { has, print, printError } = context;
  const { config, secrets, warnings } = await loadConfig(context);
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  const rules = releaseRules(config);
  if (rules === null) {
    print('sharing.cohort_release is not set: callers are sent the exact figures.');
    return;
  }
  const connection = await connect(config, secrets);
  try {
    const place = releasePlace(connection, config.output);
    const show = async () => {
      const kept = await readKeptRelease(place);
      const { summary, lines } = describeRelease(rules, kept, new Date());
      print(summary);
      for (const line of lines) print(`  ${line}`);
      return kept;
    };
    const kept = await show();
    if (!has('confirm')) return;
    if (kept.withheld === null) {
      print('Nothing is withheld, so there is nothing to confirm.');
      return;
    }
    await keepRelease(place, kept, kept.record);
    print('Confirmed: figures are sent out again from the next analysis on.');
    await show();
  } finally {
    await disconnect(connection);
  }
};
