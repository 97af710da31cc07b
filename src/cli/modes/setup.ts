import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { secretPlaces } from '../../config/secrets.js';
import { serverUrl } from '../../config/values.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';
import { ask, askNewSecret, askSecret, canAsk } from '../prompt.js';
import { readEnvFile } from '../setup/config-files.js';
import { type SetupReport, type SetupWishes, setUpAnalyser } from '../setup/set-up-analyser.js';
import { mode as check } from './check.js';

export const mode: Mode = {
  async run(context) {
    const wishes = await findWishes(context);
    const { places } = wishes;
    await untilInterrupted((signal) => setUpAnalyser(wishes, reportTo(context), signal));
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
  };
}

async function findWishes({ options, env, cwd }: ModeContext): Promise<SetupWishes> {
  const flag = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const server =
    flag('server') || (await askFor('The address of the storage server: ', '--server'));
  const parsed = serverUrl.safeParse(server);
  if (!parsed.success) {
    const message = `--server: expected ${parsed.error.issues[0]?.message}, got "${server}".`;
    throw new AnalyserError('configuration', message);
  }
  const email = flag('email') || (await askFor('E-mail of the account: ', '--email'));
  const password =
    env['APP_SETUP_PASSWORD'] || (await askFor('Its password: ', 'APP_SETUP_PASSWORD', askSecret));
  const config = flag('config') || (env['APP_ANALYSER_CONFIG'] ?? '') || 'config.yaml';
  const secretsFile = flag('secretsFile');
  return {
    serverUrl: new URL(parsed.data).href.replace(/\/*$/, '/'),
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
    replace: options['replace'] === true,
  };
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
