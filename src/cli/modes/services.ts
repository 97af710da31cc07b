import type { AddModes } from '../mode.js';
import { config } from '../options.js';

export const services: AddModes = (program, run) => {
  program
    .command('grpc')
    .description('Serve the gRPC interface: Analyse, Cancel and Status.')
    .addOption(config)
    .action(run(async () => (await import('../service/grpc.js')).runGrpc));
  program
    .command('worker')
    .description('Read for the services that share their work over Redis.')
    .addOption(config)
    .action(run(async () => (await import('../service/worker-mode.js')).runWorker));
  program
    .command('serve')
    .description('Serve the read-only HTTP API and the dashboard.')
    .addOption(config)
    .action(run(async () => (await import('../service/serve.js')).runServe));
};
