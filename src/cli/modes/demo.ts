import type { AddModes } from '../mode.js';
import { numberOf } from '../options.js';

const portOf = (flag: string) => numberOf(flag, 1, 65_535);

export const demo: AddModes = (program, run) =>
  program
    .command('demo')
    .description('Run a demonstration on this machine: a Solid server, Pods, an analysis.')
    .option('--once', 'end after the demonstration, instead of staying up until Ctrl-C')
    .option(
      '--solid-port <port>',
      'of the Solid server; default: a free one',
      portOf('--solid-port'),
    )
    .option('--grpc-port <port>', 'of the gRPC service; default: a free one', portOf('--grpc-port'))
    .option(
      '--http-port <port>',
      'of the HTTP API and dashboard; default: a free one',
      portOf('--http-port'),
    )
    .option(
      '--web-port <port>',
      'of the proxy for browsers; default: a free one',
      portOf('--web-port'),
    )
    .action(run(async () => (await import('../demo/run-demo.js')).runDemo));
