import type { AddModes } from '../mode.js';
import { config } from '../options.js';

/** What an operator does to the memory, or in place of a caller. */
export const operator: AddModes = (program, run) => {
  program
    .command('run-once')
    .description('Run one analysis for every contributing Pod, then exit.')
    .option('--json', 'print the outcome as JSON')
    .addOption(config)
    .action(run(async () => (await import('../operator/run-once.js')).runOnce));
  program
    .command('forget')
    .description('Forget what is remembered of a WebID, or below an address that ends in a slash.')
    .argument('[place]')
    .option('--all', 'everything but what was released')
    .option(
      '--erase',
      'also remove results and charts of this WebID, and its name from stored runs',
    )
    .addOption(config)
    .action(run(async () => (await import('../operator/forget-place.js')).forgetPlace));
  program
    .command('release')
    .description('Show the release of cohort figures; --confirm after they were withheld.')
    .option('--confirm', 'send out cohort figures again, after the memory was lost or put back')
    .addOption(config)
    .action(run(async () => (await import('../operator/release.js')).showRelease));
};
