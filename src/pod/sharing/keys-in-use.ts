import { AnalyserError } from '../../base/errors.js';
import { requireSuccess } from '../../solid/require-success.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { parseEncryptedResource } from '../formats/encrypted-resource.js';
import { folderInPod, isFolder } from '../resource-address.js';
import { ensureResourceKeys, findResourceKeys } from '../resource-keys.js';
import type { UnlockedPod } from '../unlock-pod.js';

/**
 * The key that opens each resource of the Pod: its own, or its folder's for a file that inherits.
 * A folder without a key gets one.
 */
export async function findKeysInUse(
  client: SolidClient,
  pod: UnlockedPod,
  urls: readonly string[],
): Promise<Map<string, Buffer>> {
  const keys = await findResourceKeys(client, pod, urls);
  const without = urls.filter((url) => !keys.has(url));
  if (without.length === 0) return keys;
  const holders = new Map<string, string>();
  await Promise.all(
    without.map(async (url) => {
      holders.set(url, isFolder(url) ? url : await findKeyFolder(client, pod, url));
    }),
  );
  const folderKeys = await ensureResourceKeys(client, pod, [...holders.values()]);
  for (const [url, holder] of holders) {
    const key = folderKeys.get(holder);
    if (key) keys.set(url, key);
  }
  return keys;
}

async function findKeyFolder(client: SolidClient, pod: UnlockedPod, url: string): Promise<string> {
  const { body } = requireSuccess(await client.request(url), 'read');
  const { inheritKeyFrom } = parseEncryptedResource(body, url);
  const folder = folderInPod(inheritKeyFrom, pod.root);
  if (folder !== null) return folder;
  const message = `${url} has no key in ${pod.documents.indKeys}, so it cannot be shared.`;
  throw new AnalyserError('malformed', message);
}
