import { openResource } from '../../src/pod/formats/encrypted-resource.js';
import { readSharedWithMe } from '../../src/pod/sharing/read-shared-with-me.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import type { InitialisedPod } from './initialised-pod.js';

/** As the app does: a key that it holds is not looked up again. */
export async function openWithKey(client: SolidClient, url: string, key: Buffer): Promise<string> {
  const { body } = await client.request(url);
  const opened = await openResource(body, url, [key]);
  if (opened === null) throw new Error(`${url} does not open with the key that is held.`);
  return opened.text;
}

/** With the key that the reader holds; without one it is looked up in the inbox. */
export async function readHeld({ client, pod }: InitialisedPod, url: string, key?: Buffer) {
  if (key === undefined) return await readEncrypted({ client, pod }, url);
  return { text: await openWithKey(client, url, key), key };
}

/** What others shared with the reader, and the key that opened it. */
export async function readEncrypted(
  { client, pod }: Pick<InitialisedPod, 'client' | 'pod'>,
  url: string,
): Promise<{ text: string; key: Buffer }> {
  const { text, key } = await readSharedWithMe(client, pod, url);
  if (key === null) throw new Error(`${url} is not encrypted.`);
  return { text, key };
}
