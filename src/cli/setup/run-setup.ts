import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { secretNames } from '../../config/secrets.js';
import { serverUrl as serverAddress } from '../../config/values.js';
import { runCheck } from '../check/run-check.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { valueOf } from '../options.js';
import { ownCommand } from '../own-command.js';
import { ask, askAgain, askNewSecret, askSecret } from '../prompt.js';
import { untilInterrupted } from '../stop-signals.js';
import { type SetupOptions, type SetupReport, setUpAnalyser } from './set-up-analyser.js';
import { requireNone } from './write-config.js';

interface SetupFlags {
  server?: string;
  email?: string;
  pod: string;
  appDir: string;
}

export async function runSetup(context: ModeContext, flags: SetupFlags): Promise<number> {
  const options = await findOptions(context, flags);
  const { configFile } = options;
  await untilInterrupted((signal) => setUpAnalyser(options, reportTo(context), signal));
  const env = { ...context.env, APP_ANALYSER_CONFIG: configFile };
  context.print('');
  const code = await runCheck({ ...context, env }, {});
  context.print('');
  context.print(
    code === exitCodes.ok
      ? `Start the service: ${ownCommand('grpc', '--config', configFile)}`
      : `Correct what was found, then look again: ${ownCommand('check', '--config', configFile)}`,
  );
  return code;
}

const advice = {
  'security key': 'Keep a copy in a safe place: without it nothing in the Pod can be read.',
  token: 'Give it to the apps. The port itself is plaintext until grpc.tls_cert_file is set.',
};

function reportTo({ print }: ModeContext): SetupReport {
  return {
    say: (step, finding) => print(`${step.padEnd(13)}  ${finding}`),
    showNew: (what, secret) => {
      print('');
      print(`The ${what}, shown this once: ${secret}`);
      print(advice[what]);
      print('');
    },
  };
}

async function findOptions({ env, cwd }: ModeContext, flags: SetupFlags): Promise<SetupOptions> {
  const configFile = resolve(cwd, env['APP_ANALYSER_CONFIG'] || 'config.yaml');
  requireNone(configFile);
  const server =
    flags.server?.trim() || (await askFor('The address of the storage server: ', '--server'));
  const { href } = new URL(valueOf('--server', serverAddress)(server));
  const serverUrl = href.replace(/\/*$/, '/');
  const email = flags.email?.trim() || (await askFor('E-mail of the account: ', '--email'));
  const given = env['APP_SETUP_PASSWORD'] ?? '';
  const password =
    given ||
    (await askFor(`Password of ${email} at ${serverUrl}: `, 'APP_SETUP_PASSWORD', askSecret));
  return {
    serverUrl,
    email,
    password,
    podName: flags.pod,
    appDir: flags.appDir,
    configFile,
    securityKey: env[secretNames.securityKey.variable] || null,
    askSecurityKey: () => askNewSecret('The security key of the Pod (blank: make one up): '),
    grpcToken: env[secretNames.grpcToken.variable] || null,
    confirmNewAccount: async () => {
      // The password is asked for twice: after a slip, nobody could log in to the new account.
      const question = `No account of ${email} has this password. To create one, the password again: `;
      if (given === '') await askAgain(password, question);
    },
  };
}

async function askFor(question: string, name: string, how = ask): Promise<string> {
  const answer = (await how(question)).trim();
  if (answer !== '') return answer;
  throw new AnalyserError('configuration', `${name} is needed; see setup --help.`);
}
