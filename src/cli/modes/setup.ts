import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { secretPlaces } from '../../config/secrets.js';
import { serverUrl as serverAddress } from '../../config/values.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';
import { ask, askNewSecret, askSecret, canAsk } from '../prompt.js';
import { readEnvFile } from '../setup/config-files.js';
import { type SetupOptions, type SetupReport, setUpAnalyser } from '../setup/set-up-analyser.js';
import { mode as check } from './check.js';

export const mode: Mode = {
  async run(context) {
    const options = await findOptions(context);
    const { places } = options;
    await untilInterrupted((signal) => setUpAnalyser(options, reportTo(context), signal));
    const env = {
      ...context.env,
      ...(await readEnvFile(places.env)),
      APP_ANALYSER_CONFIG: places.config,
    };
    context.print('');
    const code = await check.run({ ...context, env, args: [], options: {} });
    if (places.env !== null) {
      context.print('');
      context.print(`Before every mode, load the secrets: set -a; . '${places.env}'; set +a`);
    }
    return code;
  },
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

async function findOptions({ options, env, cwd }: ModeContext): Promise<SetupOptions> {
  const flag = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const serverUrl = await findServer(flag('server'));
  const email = flag('email') || (await askFor('E-mail of the account: ', '--email'));
  const given = env['APP_SETUP_PASSWORD'] ?? '';
  const password =
    given ||
    (await askFor(`Password of ${email} at ${serverUrl}: `, 'APP_SETUP_PASSWORD', askSecret));
  const config = flag('config') || (env['APP_ANALYSER_CONFIG'] ?? '') || 'config.yaml';
  const secretsFile = flag('secretsFile');
  return {
    serverUrl,
    email,
    password,
    podName: requireName('--pod', flag('pod')),
    appDir: requireName('--app-dir', flag('appDir')),
    places: {
      config: resolve(cwd, config),
      env: secretsFile === '' ? null : resolve(cwd, secretsFile),
    },
    securityKey: env[secretPlaces.securityKey.variable] || null,
    askSecurityKey: async (isNewPod) => {
      if (!canAsk()) return '';
      return isNewPod
        ? await askNewSecret('A security key for the new Pod (blank: generate one): ')
        : await askSecret('The security key of the Pod: ');
    },
    grpcToken: env[secretPlaces.grpcToken.variable] || null,
    makesToken: options['token'] !== false,
    confirmNewAccount: () => (given === '' ? confirm(email, password) : Promise.resolve()),
    replace: options['replace'] === true,
  };
}

async function findServer(flag: string): Promise<string> {
  const server = flag || (await askFor('The address of the storage server: ', '--server'));
  const parsed = serverAddress.safeParse(server);
  if (parsed.success) return new URL(parsed.data).href.replace(/\/*$/, '/');
  const message = `--server: expected ${parsed.error.issues[0]?.message}, got "${server}".`;
  throw new AnalyserError('configuration', message);
}

/** Asks for the password again, as a slip would lock the new account for good. */
async function confirm(email: string, password: string): Promise<void> {
  const again = await askSecret(
    `No account of ${email} has this password. To create one, the password again: `,
  );
  if (again === password) return;
  throw new AnalyserError('configuration', 'The two entries differ; nothing was changed.');
}

async function askFor(question: string, name: string, how = ask): Promise<string> {
  const answer = canAsk() ? (await how(question)).trim() : '';
  if (answer !== '') return answer;
  throw new AnalyserError('configuration', `${name} is needed; see setup --help.`);
}

function requireName(flag: string, name: string): string {
  if (/^(?!\.{1,2}$)[\w.~-]+$/.test(name)) return name;
  throw new AnalyserError(
    'configuration',
    `${flag}: expected a name of letters, digits, "-", "_", "." and "~", got "${name}".`,
  );
}
