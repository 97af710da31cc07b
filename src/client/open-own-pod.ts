import { AnalyserError } from '../base/errors.js';
import { parseWebId } from '../pod/addresses.js';
import { initialisePod } from '../pod/initialise-pod.js';
import { type PodLock, type UnlockedPod, unlockPod } from '../pod/unlock-pod.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import type { ClientCredentials } from '../solid/login/login.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { OwnPod } from './own-pod.js';
import { tellApart } from './tell-apart.js';

export interface OwnPodSettings {
  webId: string;
  securityKey: string;
  /** Bound to the WebID. */
  credentials: ClientCredentials;
  /** Default: the server that the WebID is on. */
  serverUrl?: string;
  /** The application folder in every Pod; default: app. */
  appDir?: string;
  /** Other servers that requests may go to, such as the Analyser's. */
  allowedOrigins?: string[];
}

/** Logs in to the own Pod and unlocks it with the security key. */
export function openOwnPod(settings: OwnPodSettings, signal?: AbortSignal): Promise<OwnPod> {
  return tellApart(signal, () =>
    withClient(settings, (client, lock) => unlockPod(client, { ...lock, signal })),
  );
}

/** What the app does at its first use. Keys that exist are never replaced. */
export function initialiseOwnPod(settings: OwnPodSettings, signal?: AbortSignal): Promise<OwnPod> {
  return tellApart(signal, () =>
    withClient(settings, (client, lock) => initialisePod(client, { ...lock, signal })),
  );
}

async function withClient(
  settings: OwnPodSettings,
  unlock: (client: SolidClient, lock: PodLock) => Promise<UnlockedPod>,
): Promise<OwnPod> {
  const { credentials, securityKey, appDir = 'app', allowedOrigins = [] } = settings;
  const webId = parseWebId(settings.webId);
  if (webId === null) {
    const message = `${settings.webId} is not a WebID: it should be a URL that ends in /profile/card#me.`;
    throw new AnalyserError('configuration', message);
  }
  const serverUrl = settings.serverUrl ?? new URL('/', webId.root).href;
  const client = createSolidClient({
    serverUrl,
    allowedOrigins: [webId.root, ...allowedOrigins],
    credentials,
  });
  try {
    const pod = await unlock(client, { webId: webId.webId, appDir, securityKey });
    return {
      client,
      pod,
      close: async () => {
        pod.dispose();
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
