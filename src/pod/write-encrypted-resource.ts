import { putDocument } from '../solid/documents/write-document.js';
import type { SolidClient } from '../solid/solid-client.js';
import { encryptContent } from './crypto/content-cipher.js';
import { buildEncryptedResource } from './documents/encrypted-resource.js';
import { ensureResourceKeys } from './resource-keys.js';
import type { UnlockedPod } from './unlock-pod.js';

export interface NewContent {
  url: string;
  content: string | Uint8Array;
  /** A folder, ending in a slash, whose key the resource uses instead of its own. */
  inheritFrom?: string | undefined;
}

/**
 * Writes resources of the Pod, each under its own key or its folder's. A key that exists never changes;
 * missing keys are made in one change for all. Returns the key of each resource.
 */
export async function writeEncryptedResources(
  client: SolidClient,
  pod: UnlockedPod,
  contents: readonly NewContent[],
): Promise<Map<string, Buffer>> {
  const holders = [...new Set(contents.map(({ url, inheritFrom }) => inheritFrom ?? url))];
  const keys = await ensureResourceKeys(client, pod, holders);
  const used = new Map<string, Buffer>();
  await Promise.all(
    contents.map(async ({ url, content, inheritFrom }) => {
      const key = keys.get(inheritFrom ?? url);
      if (!key) return;
      await putEncryptedResource(client, pod, { url, content, inheritFrom }, key);
      used.set(url, key);
    }),
  );
  return used;
}

/** Draws a fresh IV for every write, because the key never changes. */
export async function putEncryptedResource(
  client: SolidClient,
  pod: Pick<UnlockedPod, 'root'>,
  { url, content, inheritFrom }: NewContent,
  key: Buffer,
): Promise<void> {
  const turtle = buildEncryptedResource(url, pod.root, {
    content: encryptContent(content, key),
    inheritKeyFrom: inheritFrom === undefined ? null : inheritFrom.slice(pod.root.length),
  });
  await putDocument(client, url, turtle);
}
