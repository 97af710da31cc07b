import { AnalyserError, isUnanswered, ServerError } from '../base/errors.js';
import { initialisePod } from '../pod/initialise-pod.js';
import { unlockPod } from '../pod/unlock-pod.js';
import { type AccountLogin, issueClientCredentials, logInToAccount } from '../solid/css-account.js';
import { readIssuers } from '../solid/documents.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import type { ClientCredentials } from '../solid/login/login.js';
import { stoppedBy } from '../solid/solid-client.js';
import { ClientError } from './client-error.js';
import { urlInput, webIdInput } from './inputs.js';
import type { OwnPod } from './own-pod.js';
import { translateErrors } from './translate-errors.js';

export interface OwnPodSettings {
  webId: string;
  securityKey: string;
  /** Client credentials bound to the WebID. */
  credentials: ClientCredentials;
  /** Default: the server that the profile of the WebID names, or else the server that the WebID is on. */
  serverUrl?: string;
  /** The application folder in every Pod; default: app. */
  appDir?: string;
  /** Other origins that requests may go to, such as the Analyser's. */
  allowedOrigins?: string[];
}

/** Logs in to the own Pod and unlocks it with the security key. */
export function openOwnPod(settings: OwnPodSettings, signal?: AbortSignal): Promise<OwnPod> {
  return open(settings, unlockPod, signal);
}

/** Makes the keys of the own Pod, as the app does at its first use; existing keys stay. */
export function initialiseOwnPod(settings: OwnPodSettings, signal?: AbortSignal): Promise<OwnPod> {
  return open(settings, initialisePod, signal);
}

function open(
  settings: OwnPodSettings,
  unlock: typeof unlockPod,
  signal?: AbortSignal,
): Promise<OwnPod> {
  return translateErrors(signal, async () => {
    const { credentials, securityKey, appDir = 'app', allowedOrigins = [] } = settings;
    const { webId, root } = webIdInput(settings.webId, 'webId');
    for (const origin of allowedOrigins) urlInput(origin, 'allowedOrigins');
    const serverUrl =
      settings.serverUrl === undefined
        ? await findServer(webId, signal)
        : urlInput(settings.serverUrl, 'serverUrl');
    const client = createSolidClient({
      serverUrl: serverUrl ?? new URL('/', root).href,
      allowedOrigins: [root, ...allowedOrigins],
      credentials,
    });
    try {
      const pod = await unlock(stoppedBy(client, signal), { webId, appDir, securityKey });
      return ownPodOf(client, pod);
    } catch (error) {
      await client.close();
      throw error;
    }
  });
}

export function ownPodOf(client: OwnPod['client'], pod: OwnPod['pod']): OwnPod {
  const close = async () => {
    pod.dispose();
    await client.close();
  };
  return { client, pod, close };
}

const LONGEST_PROFILE = 1_048_576;

/** From the profile, as a server may lie below a path or give each Pod a host of its own; null when it names none. */
export function findServer(webId: string, signal?: AbortSignal): Promise<string | null> {
  return translateErrors(signal, async () => {
    const serverUrl = new URL('/', webId).href;
    const client = createSolidClient({ serverUrl, credentials: null });
    try {
      const limits = { maxBytes: LONGEST_PROFILE, tries: 1 };
      return chooseIssuer(await readIssuers(stoppedBy(client, signal), webId, limits), webId);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AnalyserError && !isUnanswered(error)) return null;
      throw error;
    } finally {
      await client.close();
    }
  });
}

/** Passwords go to the issuer, so a WebID on https must not name an issuer on http. */
export function chooseIssuer(named: readonly string[], webId: string): string | null {
  const wanted = webId.startsWith('http:') ? /^https?:$/ : /^https:$/;
  const issuers = named.filter((url) => URL.canParse(url) && wanted.test(new URL(url).protocol));
  return issuers.find((issuer) => webId.startsWith(issuer)) ?? issuers[0] ?? null;
}

/** On a Community Solid Server alone. Each call issues new credentials, so keep them. */
export function obtainCredentials(
  serverUrl: string,
  login: AccountLogin,
  webId: string,
  signal?: AbortSignal,
): Promise<ClientCredentials> {
  return translateErrors(signal, async () => {
    const server = urlInput(serverUrl, 'serverUrl');
    const account = await logInToAccount(server, login, signal).catch((cause: unknown) =>
      refusedLogin(cause, server),
    );
    const wanted = { name: 'bp-analyser app', webId };
    return await issueClientCredentials(account, wanted);
  });
}

/** The account interface answers a wrong e-mail or password like any other refusal. */
function refusedLogin(cause: unknown, server: string): never {
  const isRefused = cause instanceof ServerError && cause.details.status !== undefined;
  if (!isRefused || cause.failure !== 'refused') throw cause;
  const page = new URL('.account/', server).href;
  const hint = `If there is no such account yet: one is made in a browser, at ${page}`;
  throw new ClientError('credentials-rejected', cause.message, { cause, hint });
}
