import { Option } from 'commander';
import type { AddModes } from '../mode.js';
import { config } from '../options.js';

const json = new Option('--json', 'print the reply as JSON');
const proof = `
To a service with grpc.require_web_id_proof the proof goes along when APP_USER_CLIENT_ID and
APP_USER_CLIENT_SECRET hold client credentials of that WebID.`;

export const calls: AddModes = (program, run) => {
  const mode = (name: string, description: string) =>
    program.command(name).description(description).addOption(json).addOption(config);
  mode('analyse', 'Ask a running service to analyse for a WebID and print the reply.')
    .argument('<web_id>')
    .addHelpText('after', proof)
    .action(run(async () => (await import('../call-service.js')).analyse));
  mode('cancel', 'Ask a running service to stop the analyses for a WebID.')
    .argument('<web_id>')
    .addHelpText('after', proof)
    .action(run(async () => (await import('../call-service.js')).cancel));
  mode('status', 'Ask a running service whether it is ready and what it has in hand.').action(
    run(async () => (await import('../call-service.js')).status),
  );
};
