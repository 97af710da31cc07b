import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { secretPlaces } from '../../config/secrets.js';
import { serverUrl as serverAddress } from '../../config/values.js';
import { runCheck } from '../check/run-check.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { valueOf } from '../options.js';
import { ownCommand, quote } from '../own-command.js';
import { ask, askAgain, askNewSecret, askSecret } from '../prompt.js';
import { untilInterrupted } from '../stop-signals.js';
import { readEnvFile } from './config-files.js';
import { type SetupOptions, type SetupReport, setUpAnalyser } from './set-up-analyser.js';

interface SetupFlags {
  server?: string;
  email?: string;
  pod: string;
  appDir: string;
  secretsFile?: string;
  token: boolean;
  replace?: boolean;
}

export async function runSetup(context: ModeContext, flags: SetupFlags): Promise<number> {
  const options = await findOptions(context, flags);
  const { places } = options;
  await untilInterrupted((signal) => setUpAnalyser(options, reportTo(context), signal));
  const env = {
    ...context.env,
    ...(await readEnvFile(places.env)),
    APP_ANALYSER_CONFIG: places.config,
  };
  context.print('');
  const code = await runCheck({ ...context, env }, { isForAnother: true });
  context.print('');
  if (places.env !== null) {
    context.print(`Before every mode, load the secrets: set -a; . ${quote(places.env)}; set +a`);
  }
  const config = ['--config', places.config];
  context.print(
    code === exitCodes.ok
      ? `Start the service: ${ownCommand('grpc', ...config)}`
      : `Correct what was found, then look again: ${ownCommand('check', ...config)}`,
  );
  return code;
}

function reportTo({ print }: ModeContext): SetupReport {
  return {
    say: (step, finding) => print(`${step.padEnd(13)}  ${finding}`),
    showNewKey: (securityKey) => {
      print('');
      print(`The security key of the Analyser Pod, shown this once: ${securityKey}`);
      print('Keep a copy in a safe place: without it nothing in the Pod can be read.');
      print('');
    },
    showNewToken: (grpcToken) => {
      print('');
      print(`The token that callers must present (grpc.token), shown this once: ${grpcToken}`);
      print('Give it to the apps. The port itself is plaintext until grpc.tls_cert_file is set.');
      print('');
    },
  };
}

async function findOptions({ env, cwd }: ModeContext, flags: SetupFlags): Promise<SetupOptions> {
  const server =
    flags.server?.trim() || (await askFor('The address of the storage server: ', '--server'));
  const { href } = new URL(valueOf('--server', serverAddress)(server));
  const serverUrl = href.replace(/\/*$/, '/');
  const email = flags.email?.trim() || (await askFor('E-mail of the account: ', '--email'));
  const given = env['APP_SETUP_PASSWORD'] ?? '';
  const password =
    given ||
    (await askFor(`Password of ${email} at ${serverUrl}: `, 'APP_SETUP_PASSWORD', askSecret));
  const secretsFile = flags.secretsFile?.trim() ?? '';
  return {
    serverUrl,
    email,
    password,
    podName: flags.pod,
    appDir: flags.appDir,
    places: {
      config: resolve(cwd, env['APP_ANALYSER_CONFIG'] || 'config.yaml'),
      env: secretsFile === '' ? null : resolve(cwd, secretsFile),
    },
    securityKey: env[secretPlaces.securityKey.variable] || null,
    askSecurityKey: (isNewPod, refuse) =>
      isNewPod
        ? askNewSecret('A security key for the new Pod (blank: generate one): ', refuse)
        : askSecret('The security key of the Pod: '),
    grpcToken: env[secretPlaces.grpcToken.variable] || null,
    makesToken: flags.token,
    confirmNewAccount: async () => {
      // The password is asked for twice: after a slip, nobody could log in to the new account.
      const question = `No account of ${email} has this password. To create one, the password again: `;
      if (given === '') await askAgain(password, question);
    },
    replace: flags.replace ?? false,
  };
}

async function askFor(question: string, name: string, how = ask): Promise<string> {
  const answer = (await how(question)).trim();
  if (answer !== '') return answer;
  throw new AnalyserError('configuration', `${name} is needed; see setup --help.`);
}
