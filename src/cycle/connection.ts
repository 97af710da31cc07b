import type { Config, Secrets } from '../config/schema.js';
import { EntryOpener } from '../pod/crypto/entry-opener.js';
import { type UnlockedPod, unlockPod } from '../pod/unlock-pod.js';
import { createSolidClient, type HttpSolidClient } from '../solid/http-solid-client.js';

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
): Promise<Connection> {
  const client = createAnalyserClient(config, secrets);
  try {
    await client.login(signal);
    return await unlock(client, config, secrets, signal);
  } catch (error) {
    await client.close();
    throw error;
  }
}

export function createAnalyserClient(config: Config, secrets: Secrets): HttpSolidClient {
  return createSolidClient({
    serverUrl: config.analyser.server_url,
    allowedOrigins: config.data.allowed_origins,
    credentials: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
  });
}

export async function unlock(
  client: HttpSolidClient,
  config: Config,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<Connection> {
  const pod = await unlockPod(client, {
    webId: config.analyser.web_id,
    appDir: config.analyser.app_dir_name,
    securityKey: secrets.securityKey,
    signal,
  });
  return { client, pod, opener: new EntryOpener(pod.privateKey) };
}

/** Forgets the keys as far as the runtime allows. */
export async function disconnect({ client, pod, opener }: Connection): Promise<void> {
  await Promise.all([client.close(), opener.dispose()]);
  pod.dispose();
}
