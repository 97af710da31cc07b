import type { AddModes } from '../mode.js';

export const demo: AddModes = (program, run) =>
  program
    .command('demo')
    .description('Run a demonstration on this machine: a Solid server, Pods, an analysis.')
    .option('--once', 'end after the demonstration, instead of staying up until Ctrl-C')
    .action(run(async () => (await import('../demo/run-demo.js')).runDemo));
