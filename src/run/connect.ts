import { originsOf } from '../config/allowed-origins.js';
import type { Config, Secrets } from '../config/schema.js';
import { ShareLedger } from '../ledger/share-ledger.js';
import { EntryOpener } from '../pod/inbox/entry-opener.js';
import { unlockPod } from '../pod/unlock-pod.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import type { HttpSolidClient } from '../solid/solid-client.js';
import { stoppedBy } from '../solid/stopped-by.js';
import type { Connection } from './connection.js';
import { type Observer, unobserved } from './observer.js';
import { localPodReader, type PodReader } from './read/read-shares.js';

export interface ConnectOptions {
  observer?: Observer;
  /** Opens many values of the inbox. */
  podReader?: PodReader;
  /** How many requests may be in flight; the default is that of a single machine. */
  concurrency?: { start: number; max: number };
}

export async function connect(
  config: Config,
  secrets: Secrets,
  signal?: AbortSignal,
  options: ConnectOptions = {},
): Promise<Connection> {
  const client = createAnalyserClient(config, secrets, options);
  const { observer = unobserved } = options;
  try {
    return await observer.step('unlock', async () => {
      await client.login(signal);
      return await unlock(client, config, secrets, signal, options);
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}

export function createAnalyserClient(
  config: Config,
  secrets: Secrets,
  { observer = unobserved, concurrency }: ConnectOptions = {},
): HttpSolidClient {
  return createSolidClient({
    serverUrl: config.analyser.server_url,
    allowedOrigins: originsOf(config.data),
    credentials: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
    onRequest: (event) => observer.note({ kind: 'request', ...event }),
    ...(concurrency && { concurrency }),
  });
}

export async function unlock(
  client: HttpSolidClient,
  config: Config,
  secrets: Secrets,
  signal?: AbortSignal,
  { observer = unobserved, podReader = localPodReader }: ConnectOptions = {},
): Promise<Connection> {
  const pod = await unlockPod(stoppedBy(client, signal), {
    webId: config.analyser.web_id,
    appDir: config.analyser.app_dir_name,
    securityKey: secrets.securityKey,
  });
  const opener = new EntryOpener(pod.privateKey, {
    onAsked: (remembered, opened) => observer.note({ kind: 'entries', remembered, opened }),
    openValues: podReader.openValues,
  });
  const ledger = new ShareLedger(config.output.state_dir, pod.masterKey);
  return { client, pod, opener, inbox: { last: null }, ledger };
}

/** Forgets the keys as far as the runtime allows. */
export async function disconnect({ client, pod, opener, inbox }: Connection): Promise<void> {
  await Promise.all([client.close(), opener.dispose()]);
  inbox.last = null;
  pod.dispose();
}
