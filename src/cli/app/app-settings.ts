import { dirname, resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { obtainCredentials } from '../../client/account-credentials.js';
import type { OwnPodSettings } from '../../client/open-own-pod.js';
import type { Analyser } from '../../client/run-analysis.js';
import { parseWebId } from '../../pod/addresses.js';
import type { ClientCredentials } from '../../solid/login/login.js';
import type { ModeContext } from '../mode.js';
import { askSecret, canAsk } from '../prompt.js';
import { type FoundSettings, keepCredentials, readSettingsFile } from './settings-file.js';

/** The names of each setting; a flag wins over the environment, and the environment over the file. */
const variables = {
  settings: 'APP_USER_SETTINGS',
  webId: 'APP_USER_WEB_ID',
  securityKey: 'APP_USER_SECURITY_KEY',
  clientId: 'APP_USER_CLIENT_ID',
  clientSecret: 'APP_USER_CLIENT_SECRET',
  email: 'APP_USER_EMAIL',
  password: 'APP_USER_PASSWORD',
  analyser: 'APP_USER_ANALYSER',
  grpc: 'APP_USER_GRPC',
  token: 'APP_ANALYSER_GRPC_TOKEN',
} as const;

export interface AppSettings {
  found: FoundSettings;
  /** The value from the flag or the environment. */
  given(option: 'webId' | 'analyser' | 'grpc'): string | undefined;
  variable(
    name: 'securityKey' | 'clientId' | 'clientSecret' | 'email' | 'password' | 'token',
  ): string | undefined;
}

export async function loadAppSettings({
  options,
  env,
  cwd,
  printError,
}: ModeContext): Promise<AppSettings> {
  const variable = (name: keyof typeof variables) => nonBlank(env[variables[name]]);
  const given = (option: 'settings' | 'webId' | 'analyser' | 'grpc') =>
    nonBlank(options[option]) ?? variable(option);
  const found = await readSettingsFile(cwd, given('settings'));
  if (found.mode !== null && (found.mode & 0o044) !== 0 && process.platform !== 'win32') {
    printError(
      `Warning: other accounts can read ${found.path}: run chmod 600 '${found.path}', since secrets are kept in it.`,
    );
  }
  return { found, given, variable };
}

/** Completes what is needed to open the own Pod: issues credentials and asks for the rest. */
export async function completeOwnPod(
  app: AppSettings,
  askKey: () => Promise<string>,
  signal: AbortSignal,
): Promise<OwnPodSettings> {
  const { settings } = app.found;
  const webId = parseWebId(app.given('webId') ?? settings.web_id ?? '');
  if (webId === null) {
    throw new AnalyserError(
      'configuration',
      `Your WebID is needed, a URL that ends in /profile/card#me: give --web-id, ${variables.webId} or web_id in ${app.found.path}.`,
    );
  }
  const serverUrl = settings.server_url ?? new URL('/', webId.root).href;
  const credentials = await findCredentials(app, serverUrl, webId.webId, signal);
  const securityKey =
    app.variable('securityKey') ?? settings.security_key ?? (canAsk() ? await askKey() : '');
  if (securityKey === '') throw missing('security key', 'securityKey', app.found.path);
  const analyser = app.given('analyser') ?? settings.analyser.web_id ?? webId.webId;
  const allowedOrigins = URL.canParse(analyser) ? [new URL(analyser).origin] : [];
  const appDir = settings.app_dir_name;
  return { webId: webId.webId, serverUrl, appDir, securityKey, credentials, allowedOrigins };
}

export function askOwnKey(): Promise<string> {
  return askSecret('Your security key: ');
}

export function requireAnalyser(app: AppSettings): Analyser {
  const { settings, path } = app.found;
  const { host, port, tls, tls_cert_file } = settings.grpc;
  const analyser = parseWebId(app.given('analyser') ?? settings.analyser.web_id ?? '');
  if (analyser === null) {
    throw new AnalyserError(
      'configuration',
      `The WebID of the Analyser is needed: give --analyser, ${variables.analyser} or analyser.web_id in ${path}.`,
    );
  }
  const service = {
    ...(parseAddress(app.given('grpc')) ?? { host, port }),
    certificateFile: tls_cert_file === undefined ? null : resolve(dirname(path), tls_cert_file),
    tls,
    token: app.variable('token') ?? settings.grpc.token ?? null,
    publicUrl: settings.grpc.public_url ?? null,
  };
  return { analyserWebId: analyser.webId, resultsDir: settings.analyser.results_dir, service };
}

async function findCredentials(
  app: AppSettings,
  serverUrl: string,
  webId: string,
  signal: AbortSignal,
): Promise<ClientCredentials> {
  const { credentials, account } = app.found.settings;
  const clientId = app.variable('clientId') ?? credentials.client_id;
  const clientSecret = app.variable('clientSecret') ?? credentials.client_secret;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const email = app.variable('email') ?? account.email;
  const { path } = app.found;
  if (email === undefined) throw missing('client credentials', 'clientId', path);
  const password =
    app.variable('password') ??
    account.password ??
    (canAsk() ? await askSecret(`Password of ${email} at ${serverUrl}: `) : '');
  if (password === '') throw missing('password of the account', 'password', path);
  const issued = await obtainCredentials(serverUrl, { email, password }, webId, signal);
  await keepCredentials(path, webId, issued);
  return issued;
}

function missing(what: string, name: keyof typeof variables, path: string): AnalyserError {
  return new AnalyserError(
    'configuration',
    `The ${what} must be given: set ${variables[name]} or the key of it in ${path}; see --help.`,
  );
}

function parseAddress(text: string | undefined): { host: string; port: number } | null {
  if (text === undefined) return null;
  const [, host = '', port = ''] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) return { host, port: Number(port) };
  throw new AnalyserError('configuration', `--grpc: expected host:port, got "${text}".`);
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
