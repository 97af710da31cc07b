import type { AddModes } from '../mode.js';
import { config } from '../options.js';

export const operator: AddModes = (program, run) => {
  const mode = (name: string, description: string) =>
    program.command(name).description(description).addOption(config);
  mode('check', 'Log in, unlock the Pod and show what is shared; writes nothing.')
    .option('--json', 'print the findings as JSON')
    .action(run(async () => (await import('../check/run-check.js')).runCheck));
  mode('grpc', 'Serve the gRPC interface: Analyse, Cancel and Status.').action(
    run(async () => (await import('../service/grpc.js')).runGrpc),
  );
  mode('worker', 'Read for the service, which gives out its work over Redis.').action(
    run(async () => (await import('../service/worker-mode.js')).runWorker),
  );
  mode('serve', 'Serve the read-only HTTP API and the dashboard.').action(
    run(async () => (await import('../service/serve.js')).runServe),
  );
  mode(
    'web-proxy',
    'Pass on the calls of browsers, which speak gRPC-Web, to the gRPC port.',
  ).action(run(async () => (await import('../service/web-proxy.js')).runWebProxy));
  mode('run-once', 'Run one analysis for every contributing Pod, then exit.')
    .option('--json', 'print the outcome as JSON')
    .action(run(async () => (await import('../operator/run-once.js')).runOnce));
  mode('forget', 'Forget what is remembered of a WebID, or below an address that ends in a slash.')
    .argument('[web_id]')
    .option('--all', 'everything but what was released')
    .option(
      '--erase',
      'also remove results and charts of this WebID, and its name from stored runs and the Analyser Pod',
    )
    .option(
      '--keys-to <web_id>',
      'keys that both Pods have used then count only in that Pod: its owner moved there, or the first Pod copied its files',
    )
    .option('--yes', 'forget all or erase without asking')
    .action(run(async () => (await import('../operator/forget-scope.js')).forgetScope));
  mode('release', 'Show the release of cohort figures; --confirm after they were withheld.')
    .option('--confirm', 'send out cohort figures again, after the memory was lost or put back')
    .action(run(async () => (await import('../operator/release.js')).showRelease));
  mode('show-config', 'Print the effective configuration; secrets only as set or missing.')
    .option('--json', 'print JSON instead of YAML')
    .action(run(async () => (await import('../operator/show-config.js')).printConfig));
};
