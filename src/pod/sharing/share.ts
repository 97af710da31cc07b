import type { SolidClient } from '../../solid/solid-client.js';
import { changeAccess } from '../access-control.js';
import type { Mode } from '../documents/access-control-list.js';
import type { UnlockedPod } from '../unlock-pod.js';
import { logForBoth } from './append-log.js';
import { findKeysInUse } from './keys-in-use.js';
import { findRecipient } from './recipient.js';
import { putShareEntries } from './share-entries.js';

export interface Sharing {
  /** Resources of the owner's Pod; a folder's address ends in a slash. */
  urls: readonly string[];
  recipientWebId: string;
  /** Default: read. */
  modes?: readonly Mode[];
  time?: Date;
  signal?: AbortSignal | undefined;
}

/**
 * POD-FORMATS 7, for one resource or for many: each gets its access rules, while the
 * recipient's inbox and the two logs are changed once for all.
 */
export async function shareResources(
  client: SolidClient,
  owner: UnlockedPod,
  { urls, recipientWebId, modes = ['read'], time = new Date(), signal }: Sharing,
): Promise<void> {
  if (urls.length === 0) return;
  const recipient = await findRecipient(client, recipientWebId, owner.appDir, signal);
  const keys = await findKeysInUse(client, owner, urls, signal);
  const agent = recipient.webId;
  await changeAccess(client, { resources: urls, pod: owner, agent, modes }, signal);
  const shares = [...keys].map(([url, key]) => ({ url, key, modes }));
  await putShareEntries(client, recipient, shares, signal);
  await logForBoth(client, owner, recipient, { urls, action: 'grant', modes, time }, signal);
}
