import { Option } from 'commander';
import type { AddModes } from '../mode.js';
import { config, numberOf } from '../options.js';

const json = new Option('--json', 'print the reply as JSON');
const proof = `
To a service with grpc.require_web_id_proof the proof goes along when APP_USER_CLIENT_ID and
APP_USER_CLIENT_SECRET hold client credentials of that WebID.`;

interface AnalyseFlags {
  shared?: number;
  timeout?: number;
  json?: boolean;
}

/** The three calls of the contract, to a running service. */
export const calls: AddModes = (program, run) => {
  program
    .command('analyse')
    .description('Ask a running service to analyse for a WebID and print the reply.')
    .argument('<web_id>')
    .option(
      '--shared <count>',
      'how many readings were shared, to learn what was left out',
      numberOf('--shared', 0, 999_999),
    )
    .option(
      '--timeout <seconds>',
      'how long to wait for the reply',
      numberOf('--timeout', 0, 999_999),
    )
    .addOption(json)
    .addOption(config)
    .addHelpText('after', proof)
    .action(
      run(async (context, webId: string, flags: AnalyseFlags) => {
        const { analyse } = await import('../call-service.js');
        return await analyse(context, webId, flags);
      }),
    );
  program
    .command('cancel')
    .description('Ask a running service to stop the analyses for a WebID.')
    .argument('<web_id>')
    .addOption(json)
    .addOption(config)
    .addHelpText('after', proof)
    .action(
      run(async (context, webId: string, flags: { json?: boolean }) => {
        const { cancel } = await import('../call-service.js');
        return await cancel(context, webId, flags);
      }),
    );
  program
    .command('status')
    .description('Ask a running service whether it is ready and what it has in hand.')
    .addOption(json)
    .addOption(config)
    .action(
      run(async (context, flags: { json?: boolean }) => {
        const { status } = await import('../call-service.js');
        return await status(context, flags);
      }),
    );
};
