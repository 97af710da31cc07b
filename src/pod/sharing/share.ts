import type { SolidClient } from '../../solid/solid-client.js';
import { changeAccess } from '../access-control.js';
import { podDocuments, requireWebId } from '../addresses.js';
import type { UnlockedPod } from '../unlock-pod.js';
import { findKeysInUse } from './keys-in-use.js';
import { logForBoth } from './permissions-log.js';
import { findRecipientPod } from './recipient-pod.js';
import { deleteShareEntries, putShareEntries } from './share-entries.js';

export interface Sharing {
  /** Resources of the owner's Pod; a folder's address ends in a slash. */
  urls: readonly string[];
  recipientWebId: string;
}

/**
 * Opens resources to the recipient and hands over their keys. Each resource gets its access rules;
 * the recipient's inbox and the two logs are changed once for all.
 */
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

/**
 * Closes the resources to the recipient and takes their keys out of the recipient's inbox. Access goes first:
 * if a later step fails, nothing can be read any more.
 */
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
