import { dirname, resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { obtainCredentials } from '../../client/account-credentials.js';
import { findServer, type OwnPodSettings, openOwnPod } from '../../client/open-own-pod.js';
import type { OwnPod } from '../../client/own-pod.js';
import type { Analyser } from '../../client/run-analysis.js';
import { parseWebId } from '../../pod/addresses.js';
import type { ClientCredentials } from '../../solid/login/login.js';
import type { ModeContext } from '../mode.js';
import { askSecret } from '../prompt.js';
import { untilInterrupted } from '../stop-signals.js';
import { keepCredentials, readSettingsFile, type SettingsFile } from './settings-file.js';

/** The flags that stand for settings; each mode has some of them. */
export interface AppFlags {
  settings?: string;
  webId?: string;
  analyser?: string;
  grpc?: string;
}

/** Opens the person's own Pod for one mode and closes it afterwards. */
export async function withOwnPod<T>(
  context: ModeContext,
  flags: AppFlags,
  use: (ownPod: OwnPod, app: AppSettings, signal: AbortSignal) => T | Promise<T>,
  { open = openOwnPod, askKey = () => askSecret('Your security key: ') } = {},
): Promise<T> {
  const app = await loadAppSettings(context, flags);
  return await untilInterrupted(async (signal) => {
    const ownPod = await open(
      await completeOwnPod(app, { askKey, note: context.printError }, signal),
      signal,
    );
    try {
      return await use(ownPod, app, signal);
    } finally {
      await ownPod.close();
    }
  });
}

interface AppSettings {
  settings: SettingsFile;
  /** The path of the settings file, which need not exist. */
  path: string;
}

/** A flag wins over the environment, and the environment over the file. */
async function loadAppSettings(
  { env, cwd, printError }: ModeContext,
  flags: AppFlags,
): Promise<AppSettings> {
  const given = (variable: string, flag?: string) =>
    [flag, env[variable]].find((text) => text !== undefined && text.trim() !== '');
  const found = await readSettingsFile(cwd, given('APP_USER_SETTINGS', flags.settings));
  const { path, mode } = found;
  if (mode !== null && (mode & 0o044) !== 0 && process.platform !== 'win32') {
    printError(
      `Warning: other accounts can read ${path}: run chmod 600 '${path}', since secrets are kept in it.`,
    );
  }
  const { credentials, account, analyser, grpc, ...file } = found.settings;
  const settings = {
    ...file,
    web_id: given('APP_USER_WEB_ID', flags.webId) ?? file.web_id,
    security_key: given('APP_USER_SECURITY_KEY') ?? file.security_key,
    credentials: {
      client_id: given('APP_USER_CLIENT_ID') ?? credentials.client_id,
      client_secret: given('APP_USER_CLIENT_SECRET') ?? credentials.client_secret,
    },
    account: {
      email: given('APP_USER_EMAIL') ?? account.email,
      password: given('APP_USER_PASSWORD') ?? account.password,
    },
    analyser: {
      ...analyser,
      web_id: given('APP_USER_ANALYSER', flags.analyser) ?? analyser.web_id,
    },
    grpc: {
      ...grpc,
      ...parseAddress(given('APP_USER_GRPC', flags.grpc)),
      token: given('APP_ANALYSER_GRPC_TOKEN') ?? grpc.token,
    },
  };
  return { settings, path };
}

function parseAddress(text: string | undefined): { host: string; port: number } | undefined {
  if (text === undefined) return undefined;
  const [, host = '', port = ''] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) return { host, port: Number(port) };
  throw new AnalyserError('configuration', `--grpc: expected host:port, got "${text}".`);
}

/**
 * Completes the settings that open the own Pod: issues credentials if there are none, and asks for a missing password
 * or key.
 */
async function completeOwnPod(
  app: AppSettings,
  { askKey, note }: { askKey: () => Promise<string>; note: (text: string) => void },
  signal: AbortSignal,
): Promise<OwnPodSettings> {
  const { settings, path } = app;
  const webId = parseWebId(settings.web_id ?? '');
  if (webId === null) {
    throw new AnalyserError(
      'configuration',
      `Your WebID is needed, a URL that ends in /profile/card#me: give --web-id, APP_USER_WEB_ID or web_id in ${path}.`,
    );
  }
  const found = settings.server_url ?? (await findServer(webId.webId, signal));
  const serverUrl = found ?? new URL('/', webId.root).href;
  if (found === null) {
    note(
      `${webId.webId} does not say which server it logs in to, so ${serverUrl} is asked; server_url in ${path} names another.`,
    );
  }
  const credentials = await findCredentials(app, serverUrl, webId.webId, signal);
  const securityKey = settings.security_key ?? (await askKey());
  if (securityKey === '') throw missing('security key', 'APP_USER_SECURITY_KEY', path);
  const analyser = settings.analyser.web_id ?? webId.webId;
  const allowedOrigins = URL.canParse(analyser) ? [new URL(analyser).origin] : [];
  const appDir = settings.app_dir_name;
  return { webId: webId.webId, serverUrl, appDir, securityKey, credentials, allowedOrigins };
}

async function findCredentials(
  { settings, path }: AppSettings,
  serverUrl: string,
  webId: string,
  signal: AbortSignal,
): Promise<ClientCredentials> {
  const { client_id: clientId, client_secret: clientSecret } = settings.credentials;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const { email } = settings.account;
  if (email === undefined) throw missing('client credentials', 'APP_USER_CLIENT_ID', path);
  const password =
    settings.account.password ?? (await askSecret(`Password of ${email} at ${serverUrl}: `));
  if (password === '') throw missing('password of the account', 'APP_USER_PASSWORD', path);
  const issued = await obtainCredentials(serverUrl, { email, password }, webId, signal);
  await keepCredentials(path, webId, issued);
  return issued;
}

function missing(what: string, variable: string, path: string): AnalyserError {
  return new AnalyserError(
    'configuration',
    `The ${what} must be given: set ${variable} or the key of it in ${path}; see --help.`,
  );
}

export function requireAnalyser({ settings, path }: AppSettings): Analyser {
  const { host, port, tls, tls_cert_file, token = null, public_url = null } = settings.grpc;
  const analyser = parseWebId(settings.analyser.web_id ?? '');
  if (analyser === null) {
    throw new AnalyserError(
      'configuration',
      `The WebID of the Analyser is needed: give --analyser, APP_USER_ANALYSER or analyser.web_id in ${path}.`,
    );
  }
  const certificateFile =
    tls_cert_file === undefined ? null : resolve(dirname(path), tls_cert_file);
  const service = { host, port, certificateFile, tls, token, publicUrl: public_url };
  return { analyserWebId: analyser.webId, resultsDir: settings.analyser.results_dir, service };
}
