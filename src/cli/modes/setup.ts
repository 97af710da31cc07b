import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { secretPlaces } from '../../config/secrets.js';
import { folderName, serverUrl as serverAddress } from '../../config/values.js';
import { exitCodes } from '../exit-codes.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';
import { parseFlag } from '../parse-flag.js';
import { ask, askAgain, askNewSecret, askSecret } from '../prompt.js';
import { readEnvFile } from '../setup/config-files.js';
import { type SetupOptions, type SetupReport, setUpAnalyser } from '../setup/set-up-analyser.js';
import { mode as check } from './check.js';

export const mode: Mode = async (context) => {
  const options = await findOptions(context);
  const { places } = options;
  await untilInterrupted((signal) => setUpAnalyser(options, reportTo(context), signal));
  const env = {
    ...context.env,
    ...(await readEnvFile(places.env)),
    APP_ANALYSER_CONFIG: places.config,
  };
  context.print('');
  const code = await check({ ...context, env, args: [], has: () => false });
  if (places.env !== null) {
    context.print('');
    context.print(`Before every mode, load the secrets: set -a; . '${places.env}'; set +a`);
  }
  return code ?? exitCodes.ok;
};

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

async function findOptions({ value, has, env, cwd }: ModeContext): Promise<SetupOptions> {
  const flag = (name: string) => value(name)?.trim() ?? '';
  const server =
    flag('server') || (await askFor('The address of the storage server: ', '--server'));
  const { href } = new URL(parseFlag('--server', server, serverAddress));
  const serverUrl = href.replace(/\/*$/, '/');
  const email = flag('email') || (await askFor('E-mail of the account: ', '--email'));
  const given = env['APP_SETUP_PASSWORD'] ?? '';
  const password =
    given ||
    (await askFor(`Password of ${email} at ${serverUrl}: `, 'APP_SETUP_PASSWORD', askSecret));
  const secretsFile = flag('secretsFile');
  return {
    serverUrl,
    email,
    password,
    podName: parseFlag('--pod', flag('pod'), folderName),
    appDir: parseFlag('--app-dir', flag('appDir'), folderName),
    places: {
      config: resolve(cwd, env['APP_ANALYSER_CONFIG'] || 'config.yaml'),
      env: secretsFile === '' ? null : resolve(cwd, secretsFile),
    },
    securityKey: env[secretPlaces.securityKey.variable] || null,
    askSecurityKey: (isNewPod) =>
      isNewPod
        ? askNewSecret('A security key for the new Pod (blank: generate one): ')
        : askSecret('The security key of the Pod: '),
    grpcToken: env[secretPlaces.grpcToken.variable] || null,
    makesToken: has('token'),
    confirmNewAccount: async () => {
      // A slip would lock the new account for good.
      const question = `No account of ${email} has this password. To create one, the password again: `;
      if (given === '') await askAgain(password, question);
    },
    replace: has('replace'),
  };
}

async function askFor(question: string, name: string, how = ask): Promise<string> {
  const answer = (await how(question)).trim();
  if (answer !== '') return answer;
  throw new AnalyserError('configuration', `${name} is needed; see setup --help.`);
}
