import { Option } from 'commander';
import type { AddModes } from '../mode.js';
import { config, numberOf } from '../options.js';

const json = new Option('--json', 'print the reply as JSON');
const proof = `
To a service with grpc.require_web_id_proof the proof goes along when APP_USER_CLIENT_ID and
APP_USER_CLIENT_SECRET hold client credentials of that WebID.`;

/** The modes for the three calls of the contract; each calls a running service. */
export const calls: AddModes = (program, run) => {
  program
    .command('analyse')
    .description('Ask a running service to analyse for a WebID and print the reply.')
    .argument('<web_id>')
    .option(
      '--shared <count>',
      'how many files with readings were shared, to learn what was left out',
      numberOf('--shared', 0, 999_999),
    )
    .addOption(json)
    .addOption(config)
    .addHelpText('after', proof)
    .action(run(async () => (await import('../call-service.js')).analyse));
  program
    .command('cancel')
    .description('Ask a running service to stop the analyses for a WebID.')
    .argument('<web_id>')
    .addOption(json)
    .addOption(config)
    .addHelpText('after', proof)
    .action(run(async () => (await import('../call-service.js')).cancel));
  program
    .command('status')
    .description('Ask a running service whether it is ready and what it has in hand.')
    .addOption(json)
    .addOption(config)
    .action(run(async () => (await import('../call-service.js')).status));
};
