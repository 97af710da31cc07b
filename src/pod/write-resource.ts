import { putDocument } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';
import { encryptContent } from './crypto/content-cipher.js';
import { buildEncryptedResource } from './formats/encrypted-resource.js';
import { ensureResourceKeys } from './resource-keys.js';
import type { UnlockedPod } from './unlock-pod.js';

export interface NewContent {
  url: string;
  content: string | Uint8Array;
}

/** A key that exists never changes; missing keys are made in one change for all. */
export async function writeEncryptedResources(
  client: SolidClient,
  pod: UnlockedPod,
  contents: readonly NewContent[],
): Promise<Map<string, Buffer>> {
  const urls = contents.map(({ url }) => url);
  const keys = await ensureResourceKeys(client, pod, urls);
  await Promise.all(
    contents.map(async (one) => {
      const key = keys.get(one.url);
      if (key) await putEncryptedResource(client, pod, one, key);
    }),
  );
  return keys;
}

export async function putEncryptedResource(
  client: SolidClient,
  pod: Pick<UnlockedPod, 'root'>,
  { url, content }: NewContent,
  key: Buffer,
): Promise<void> {
  const resource = { content: encryptContent(content, key), inheritKeyFrom: null };
  await putDocument(client, url, buildEncryptedResource(url, pod.root, resource));
}
