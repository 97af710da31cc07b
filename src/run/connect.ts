import { originsOf } from '../config/allowed-origins.js';
import type { Config, Secrets } from '../config/schema.js';
import { openStoredMemory } from '../memory/stored-memory.js';
import { EntryOpener, type EntryOpenerOptions } from '../pod/inbox/entry-opener.js';
import { type UnlockedPod, unlockPod } from '../pod/unlock-pod.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import type { HttpSolidClient, SolidClient } from '../solid/solid-client.js';
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
  const lock = {
    webId: config.analyser.web_id,
    appDir: config.analyser.app_dir_name,
    securityKey: secrets.securityKey,
  };
  const pod = await unlockPod(stoppedBy(client, signal), lock);
  return createConnection(client, pod, lock.securityKey, {
    onAsked: (remembered, opened) => observer.note({ kind: 'entries', remembered, opened }),
    openValues: podReader.openValues,
  });
}

export function createConnection(
  client: SolidClient,
  pod: UnlockedPod,
  securityKey: string,
  options: EntryOpenerOptions = {},
): Connection {
  const connection: Connection = {
    client,
    pod,
    opener: new EntryOpener(pod.privateKey, options),
    inbox: { last: null },
    memory: openStoredMemory(client, pod),
    async renew(signal) {
      const { pod: known, opener, memory } = connection;
      const lock = { webId: known.webId, appDir: known.appDir, securityKey };
      const now = await unlockPod(stoppedBy(client, signal), lock, known);
      if (now === known) return;
      connection.pod = now;
      connection.opener = new EntryOpener(now.privateKey, options);
      connection.inbox.last = null;
      connection.memory = openStoredMemory(client, now);
      await opener.dispose();
      memory.dispose();
      known.dispose();
    },
  };
  return connection;
}

/** Forgets the keys as far as the runtime allows. */
export async function disconnect(connection: Connection): Promise<void> {
  const { client, pod, opener, inbox, memory } = connection;
  await Promise.all([client.close(), opener.dispose()]);
  inbox.last = null;
  memory.dispose();
  pod.dispose();
}
