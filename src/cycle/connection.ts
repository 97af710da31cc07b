import type { Config, Secrets } from '../config/schema.js';
import { EntryOpener } from '../pod/crypto/entry-opener.js';
import { type UnlockedPod, unlockPod } from '../pod/unlock-pod.js';
import { createSolidClient, type HttpSolidClient } from '../solid/http-solid-client.js';
import { unobserved } from './observer.js';

/** Step 1: logged in, and the Analyser Pod unlocked. Made once and used by every run. */
export interface Connection {
  client: HttpSolidClient;
  pod: UnlockedPod;
  opener: EntryOpener;
}

export async function connect(
  config: Config,
  secrets: Secrets,
  signal: AbortSignal,
  observer = unobserved,
): Promise<Connection> {
  const client = createAnalyserClient(config, secrets, observer);
  try {
    return await observer.step('unlock', async () => {
      await client.login(signal);
      return await unlock(client, config, secrets, signal, observer);
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}

export function createAnalyserClient(
  config: Config,
  secrets: Secrets,
  observer = unobserved,
): HttpSolidClient {
  return createSolidClient({
    serverUrl: config.analyser.server_url,
    allowedOrigins: config.data.allowed_origins,
    credentials: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
    onRequest: (event) => observer.request(event),
  });
}

export async function unlock(
  client: HttpSolidClient,
  config: Config,
  secrets: Secrets,
  signal: AbortSignal,
  observer = unobserved,
): Promise<Connection> {
  const pod = await unlockPod(client, {
    webId: config.analyser.web_id,
    appDir: config.analyser.app_dir_name,
    securityKey: secrets.securityKey,
    signal,
  });
  const opener = new EntryOpener(pod.privateKey, (remembered, opened) =>
    observer.entries(remembered, opened),
  );
  return { client, pod, opener };
}

/** Forgets the keys as far as the runtime allows. */
export async function disconnect({ client, pod, opener }: Connection): Promise<void> {
  await Promise.all([client.close(), opener.dispose()]);
  pod.dispose();
}
