import { resolve } from 'node:path';
import { z } from 'zod';
import { AnalyserError } from '../../base/errors.js';
import { secretNames, secretsFileOf } from '../../config/secrets.js';
import { serverUrl as serverAddress, wholeNumber } from '../../config/values.js';
import { runCheck } from '../check/run-check.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { valueOf } from '../options.js';
import { ownCommand } from '../own-command.js';
import { ask, askNewSecret } from '../prompt.js';
import { untilInterrupted } from '../stop-signals.js';
import { type SetupOptions, setUpAnalyser } from './set-up-analyser.js';
import { requireNone } from './write-config.js';

interface SetupFlags {
  server?: string;
  email?: string;
  pod: string;
  appDir: string;
  minimumCohortPods?: string;
}

/** With two Pods, each works out the average of the other from that of the cohort. */
const FEWEST_PODS = '3';

export async function runSetup(context: ModeContext, flags: SetupFlags): Promise<number> {
  const options = await findOptions(context, flags);
  const { configFile } = options;
  const say = (step: string, finding: string) => context.print(`${step.padEnd(13)}  ${finding}`);
  await untilInterrupted((signal) => setUpAnalyser(options, say, signal));
  context.print(
    `Keep a copy of the security key in ${secretsFileOf(configFile)}: without it nothing in the Pod can be read. Give the apps the token in it.`,
  );
  const env = { ...context.env, APP_ANALYSER_CONFIG: configFile };
  context.print('');
  const code = await runCheck({ ...context, env }, {});
  context.print('');
  const command = (mode: string) => ownCommand(mode, '--config', configFile);
  if (code === exitCodes.ok) {
    context.print(`Start the service:        ${command('grpc')}`);
    context.print(`and beside it the pages:  ${command('serve')}`);
  } else {
    context.print(`Correct what was found, then look again: ${command('check')}`);
  }
  return code;
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
    (await askFor(`Password of ${email} at ${serverUrl}: `, 'APP_SETUP_PASSWORD', askNewSecret));
  const question = `The smallest cohort whose averages are sent, in Pods (blank: ${FEWEST_PODS}): `;
  const fewest = flags.minimumCohortPods ?? (await ask(question));
  const isCount = z.string().transform(Number).pipe(wholeNumber(0, 1_000_000));
  const least = valueOf('--minimum-cohort-pods', isCount)(fewest.trim() || FEWEST_PODS);
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
    more: { sharing: { minimum_cohort_pods: least } },
  };
}

async function askFor(question: string, name: string, how = ask): Promise<string> {
  const answer = (await how(question)).trim();
  if (answer !== '') return answer;
  throw new AnalyserError('configuration', `${name} is needed; see setup --help.`);
}
