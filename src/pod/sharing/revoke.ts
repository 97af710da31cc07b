import type { SolidClient } from '../../solid/solid-client.js';
import { changeAccess } from '../access-control.js';
import { podDocuments, requireWebId } from '../addresses.js';
import type { UnlockedPod } from '../unlock-pod.js';
import { logForBoth } from './append-log.js';
import type { Sharing } from './share.js';
import { deleteShareEntries } from './share-entries.js';

/**
 * Closes the resources to the recipient and takes their keys out of the recipient's inbox.
 * Access goes first: whatever fails afterwards, nothing can be read any more.
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
