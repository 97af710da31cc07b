import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import {
  findServer,
  type OwnPodSettings,
  obtainCredentials,
  openOwnPod,
} from '../../client/open-own-pod.js';
import type { OwnPod } from '../../client/own-pod.js';
import type { Analyser } from '../../client/run-analysis.js';
import { webId as webIdRules } from '../../config/values.js';
import { warnOfReadable } from '../../config/warnings.js';
import type { ClientCredentials } from '../../solid/login/login.js';
import { diskError } from '../../store/files.js';
import type { ModeContext } from '../mode.js';
import { valueOf } from '../options.js';
import { ask, askSecret } from '../prompt.js';
import { untilInterrupted } from '../stop-signals.js';
import { type AppFlags, type AppSettings, keepInSettings, readSettings } from './settings-file.js';

type Use<T> = (ownPod: OwnPod, signal: AbortSignal) => T | Promise<T>;

export async function withOwnPod<T>(
  context: ModeContext,
  flags: AppFlags,
  use: Use<T>,
  open = openWithKey,
): Promise<T> {
  return await openPod(context, await readSettings(context, flags), use, open);
}

/** The same for a mode that needs the Analyser: what is missing for it is told before anything is asked. */
export async function withAnalyser<T>(
  context: ModeContext,
  flags: AppFlags,
  use: (ownPod: OwnPod, analyser: Analyser, signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const app = await readSettings(context, flags);
  const analyser = requireAnalyser(app);
  return await openPod(context, app, (ownPod, signal) => use(ownPod, analyser, signal));
}

async function openPod<T>(
  { printError }: ModeContext,
  app: AppSettings,
  use: Use<T>,
  open = openWithKey,
): Promise<T> {
  for (const warning of await warnOfReadable([app.path])) printError(`Warning: ${warning}`);
  return await untilInterrupted(async (signal) => {
    const ownPod = await open(await logIn(app, printError, signal), app, signal);
    try {
      return await use(ownPod, signal);
    } finally {
      await ownPod.close();
    }
  });
}

export type Login = Omit<OwnPodSettings, 'securityKey'>;

async function openWithKey(login: Login, { settings, path }: AppSettings, signal: AbortSignal) {
  const securityKey = settings.security_key ?? (await askSecret('Your security key: '));
  if (securityKey === '')
    throw missing('security key', 'APP_USER_SECURITY_KEY, or security_key', path);
  return await openOwnPod({ ...login, securityKey }, signal);
}

/** Finds out everything but the security key: asks for what is missing, and issues credentials if there are none. */
async function logIn(
  app: AppSettings,
  printError: (text: string) => void,
  signal: AbortSignal,
): Promise<Login> {
  const { settings, path } = app;
  const asked = settings.web_id ?? (await ask('Your WebID: ')).trim();
  if (asked === '')
    throw missing('WebID of your Pod', '--web-id, APP_USER_WEB_ID, or web_id', path);
  const webId = valueOf('Your WebID', webIdRules)(asked);
  const named = settings.server_url ?? (await findServer(webId, signal));
  const serverUrl = named ?? new URL('/', webId).href;
  if (named === null) {
    printError(
      `${webId} does not say which server it logs in to, so ${serverUrl} is asked; server_url in ${path} names another.`,
    );
  }
  const credentials = await findCredentials(app, serverUrl, webId, signal);
  const allowedOrigins = [new URL(settings.analyser.web_id ?? webId).origin];
  return { webId, serverUrl, appDir: settings.app_dir_name, credentials, allowedOrigins };
}

async function findCredentials(
  { settings, path }: AppSettings,
  serverUrl: string,
  webId: string,
  signal: AbortSignal,
): Promise<ClientCredentials> {
  const { client_id: clientId, client_secret: clientSecret } = settings.credentials;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const { account } = settings;
  const email = account.email ?? (await ask(`E-mail of your account at ${serverUrl}: `)).trim();
  const how =
    'APP_USER_EMAIL, client credentials as APP_USER_CLIENT_ID and APP_USER_CLIENT_SECRET, or email below account';
  if (email === '') throw missing('e-mail of your account', how, path);
  const password = account.password ?? (await askSecret(`Password of ${email} at ${serverUrl}: `));
  const ofPassword = 'APP_USER_PASSWORD, or password below account';
  if (password === '') throw missing('password of your account', ofPassword, path);
  // Credentials that cannot be kept would stay in the account, one for each try.
  await access(`${dirname(path)}/.`, constants.W_OK).catch((error: unknown) => {
    throw diskError('write', path, error);
  });
  const issued = await obtainCredentials(serverUrl, { email, password }, webId, signal);
  const kept = { client_id: issued.clientId, client_secret: issued.clientSecret };
  await keepInSettings(path, { web_id: webId, credentials: kept });
  return issued;
}

export function missing(what: string, how: string, path: string): AnalyserError {
  return new AnalyserError(
    'configuration',
    `The ${what} is needed: give ${how} in ${path}; see --help.`,
  );
}

function requireAnalyser({ settings, path }: AppSettings): Analyser {
  const { host, port, tls, tls_cert_file, token = null, public_url = null } = settings.grpc;
  const analyserWebId = settings.analyser.web_id;
  if (analyserWebId === undefined) {
    const how = '--analyser, APP_USER_ANALYSER, or web_id below analyser';
    throw missing('WebID of the Analyser', how, path);
  }
  const certificateFile =
    tls_cert_file === undefined ? null : resolve(dirname(path), tls_cert_file);
  const service = { host, port, certificateFile, tls, token, publicUrl: public_url };
  return { analyserWebId, resultsDir: settings.analyser.results_dir, service };
}
