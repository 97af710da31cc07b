import type { AddModes } from '../mode.js';
import { config } from '../options.js';

export const check: AddModes = (program, run) =>
  program
    .command('check')
    .description('Log in, unlock the Pod and show what is shared; writes nothing.')
    .option('--files', 'list every single file that is shared, on a terminal too')
    .option('--json', 'print the findings as JSON')
    .addOption(config)
    .action(run(async () => (await import('../check/run-check.js')).runCheck));
