import type { KeyVersion } from '../../src/pod/crypto/derive-keys.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import type { UnlockedPod } from '../../src/pod/unlock-pod.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { atEnd } from './at-end.js';
import { nextKey } from './key-pairs.js';
import { createPod, type TestPod } from './solid-server.js';

export interface InitialisedPod {
  account: TestPod;
  client: HttpSolidClient;
  pod: UnlockedPod;
  securityKey: string;
  close(): Promise<void>;
}

interface Options {
  appDir?: string;
  keyVersion?: KeyVersion;
}

/** A Pod as the app leaves it after its first use, with its owner logged in until the test file ends. */
export async function createInitialisedPod(
  server: { baseUrl: string },
  { name, ...options }: Options & { name?: string } = {},
): Promise<InitialisedPod> {
  return await initialise(server, await createPod(server, name), options);
}

/** The same of a Pod that nobody has used yet. */
export async function initialise(
  server: { baseUrl: string },
  account: TestPod,
  { appDir = 'app', keyVersion = 2 }: Options = {},
): Promise<InitialisedPod> {
  const securityKey = `security key of ${account.webId}`;
  const client = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  const lock = { webId: account.webId, appDir, securityKey };
  const pod = await initialisePod(client, { ...lock, keyVersion, createKey: nextKey });
  return {
    account,
    client,
    pod,
    securityKey,
    close: atEnd(async () => {
      pod.dispose();
      await client.close();
    }),
  };
}
