import { AnalyserError } from '../../base/errors.js';
import { requireSuccess } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { changeAccess } from '../access-control.js';
import { folderInPod, isFolder, podDocuments, requireWebId } from '../addresses.js';
import { parseEncryptedResource } from '../formats/encrypted-resource.js';
import { ensureResourceKeys, findResourceKeys } from '../resource-keys.js';
import type { UnlockedPod } from '../unlock-pod.js';
import { logForBoth } from './permissions-log.js';
import { deleteShareEntries, findRecipientPod, putShareEntries } from './share-entries.js';

/** The key of a resource is its own, or its folder's for a file that inherits; a folder without a key gets one. */
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
  const { inheritKeyFrom } = await parseEncryptedResource(body, url, client.signal);
  const folder = folderInPod(inheritKeyFrom, pod.root);
  if (folder !== null) return folder;
  const message = `${url} has no key in ${pod.documents.indKeys}, so it cannot be shared.`;
  throw new AnalyserError('malformed', message);
}

export interface Sharing {
  urls: readonly string[];
  recipientWebId: string;
}

/** The recipient's inbox and the two logs are changed once for all. */
export async function shareResources(
  client: SolidClient,
  owner: UnlockedPod,
  { urls, recipientWebId }: Sharing,
): Promise<void> {
  if (urls.length === 0) return;
  const recipient = await findRecipientPod(client, recipientWebId, owner.appDir);
  const keys = await findKeysInUse(client, owner, urls);
  const agent = recipient.webId;
  await changeAccess(client, { resources: urls, pod: owner, agent, modes: ['read'] });
  const shares = [...keys].map(([url, key]) => ({ url, key }));
  await putShareEntries(client, recipient, shares);
  await logForBoth(client, owner, recipient, { urls, action: 'grant', time: new Date() });
}

/** Access goes first: if a later step fails, nothing can be read any more. */
export async function revokeShares(
  client: SolidClient,
  owner: UnlockedPod,
  { urls, recipientWebId }: Sharing,
): Promise<void> {
  if (urls.length === 0) return;
  const { webId: agent, root } = requireWebId(recipientWebId);
  await changeAccess(client, { resources: urls, pod: owner, agent, modes: [] });
  const recipient = { webId: agent, documents: podDocuments(root, owner.appDir) };
  await deleteShareEntries(client, recipient, urls);
  await logForBoth(client, owner, recipient, { urls, action: 'revoke', time: new Date() });
}
