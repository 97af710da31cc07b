import { originsOf } from '../config/allowed-origins.js';
import type { Config, Secrets } from '../config/schema.js';
import { openStoredMemory, type StoredMemory } from '../memory/stored-memory.js';
import { EntryOpener, type InboxCache } from '../pod/inbox.js';
import { type UnlockedPod, unlockPod } from '../pod/unlock-pod.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import { type HttpSolidClient, type SolidClient, stoppedBy } from '../solid/solid-client.js';
import { type Observer, timeStep, unobserved } from './observer.js';

/** Step 1: logged in, and the Analyser Pod unlocked. Made once and used for many analyses. */
export class Connection {
  opener: EntryOpener;
  memory: StoredMemory;
  /** The inbox as the last analysis found it, cut down by the configured rules. */
  readonly inboxCache: InboxCache = { last: null };

  constructor(
    readonly client: SolidClient,
    public pod: UnlockedPod,
    private readonly securityKey: string,
  ) {
    this.opener = new EntryOpener(pod.privateKey);
    this.memory = openStoredMemory(client, pod);
  }

  /** Unlocks again if the app has sealed the keys anew. Reading them also proves that the server accepts our login. */
  async renew(signal: AbortSignal): Promise<void> {
    const now = await this.unlockedNow(stoppedBy(this.client, signal));
    if (now === this.pod) return;
    this.#forget();
    this.pod = now;
    this.opener = new EntryOpener(now.privateKey);
    this.memory = openStoredMemory(this.client, now);
  }

  /** The Pod, unlocked with its present master key: `pod` itself, or a new object that the caller must dispose of. */
  unlockedNow(through: SolidClient): Promise<UnlockedPod> {
    const { webId, appDir } = this.pod;
    const lock = { webId, appDir, securityKey: this.securityKey };
    return unlockPod(through, lock, this.pod);
  }

  async close(): Promise<void> {
    this.#forget();
    await this.client.close();
  }

  #forget(): void {
    this.inboxCache.last = null;
    this.memory.dispose();
    this.pod.dispose();
  }
}

export interface ConnectOptions {
  observe?: Observer;
  /** How many requests may be in flight at each server; default: as in a process without workers. */
  atOnce?: number;
}

export async function connect(
  config: Config,
  secrets: Secrets,
  signal?: AbortSignal,
  options: ConnectOptions = {},
): Promise<Connection> {
  const client = createAnalyserClient(config, secrets, options);
  const { observe = unobserved } = options;
  try {
    return await timeStep(observe, 'unlock', async () => {
      await client.login(signal);
      return await unlock(client, config, secrets, signal);
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}

export function createAnalyserClient(
  config: Config,
  secrets: Secrets,
  { observe = unobserved, atOnce }: ConnectOptions = {},
): HttpSolidClient {
  return createSolidClient({
    serverUrl: config.analyser.server_url,
    allowedOrigins: originsOf(config.data),
    credentials: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
    onRequest: (event) => observe({ kind: 'request', ...event }),
    ...(atOnce !== undefined && { policy: { atOnce } }),
  });
}

export async function unlock(
  client: HttpSolidClient,
  { analyser }: Config,
  { securityKey }: Secrets,
  signal?: AbortSignal,
): Promise<Connection> {
  const lock = { webId: analyser.web_id, appDir: analyser.app_dir_name, securityKey };
  const pod = await unlockPod(stoppedBy(client, signal), lock);
  return new Connection(client, pod, securityKey);
}
