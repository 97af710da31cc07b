import type { SolidClient } from '../solid/solid-client.js';
import { logForBoth } from './append-log.js';
import type { Recipient } from './recipient.js';
import { type NewShare, putShareEntries } from './share-entries.js';
import type { UnlockedPod } from './unlock-pod.js';

/**
 * Gives one recipient the keys of resources it may already read: replaced in its inbox, read
 * back, and logged. Nothing is written when the inbox cannot be read.
 */
export async function handOverKeys(
  client: SolidClient,
  owner: UnlockedPod,
  recipient: Recipient,
  shares: readonly NewShare[],
  options: { time?: Date; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { time = new Date(), signal } = options;
  await putShareEntries(client, recipient, shares, signal);
  const urls = shares.map(({ url }) => url);
  await logForBoth(
    client,
    owner,
    recipient,
    { urls, action: 'grant', modes: ['read'], time },
    signal,
  );
}
