import type { AddModes } from '../mode.js';
import { config } from '../options.js';

export const showConfig: AddModes = (program, run) =>
  program
    .command('show-config')
    .description('Print the effective configuration; secrets only as set or missing.')
    .option('--json', 'print JSON instead of YAML')
    .addOption(config)
    .action(run(async () => (await import('../operator/show-config.js')).printConfig));
