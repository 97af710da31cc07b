import { mapConcurrently } from '../base/concurrency.js';
import { deleteWithRules } from '../pod/access-control.js';
import { ClientError } from './client-error.js';
import type { OwnPod } from './own-pod.js';
import { listReadings, readingAddress } from './readings.js';
import { revoke } from './shares.js';
import { workOn } from './translate-errors.js';

const REMOVED_AT_ONCE = 8;

export interface Removed {
  /** How many files were removed. */
  readings: number;
  /** How many of them had been shared with the recipient. */
  shares: number;
}

/** The keys stay, as a new reading of that second has to use the same; what is gone already is skipped. */
export function removeReadings(
  ownPod: OwnPod,
  recipientWebId: string | null,
  timestamps: readonly string[] | 'all',
  signal?: AbortSignal,
): Promise<Removed> {
  return workOn(ownPod, signal, async (ownPod) => {
    const there = await listReadings(ownPod);
    const wanted = new Map<string, string>();
    if (timestamps !== 'all')
      for (const time of timestamps) wanted.set(readingAddress(ownPod, time), time);
    const urls = there.filter((url) => timestamps === 'all' || wanted.has(url));
    const [first] = wanted;
    if (urls.length === 0 && first !== undefined) throw noReading(first);
    const shares = recipientWebId === null ? 0 : await revoke(ownPod, recipientWebId, urls);
    await mapConcurrently(urls, REMOVED_AT_ONCE, (url) => deleteWithRules(ownPod.client, url));
    return { readings: urls.length, shares };
  });
}

function noReading([url, timestamp]: readonly [string, string]): ClientError {
  const message = `There is no reading of ${timestamp.slice(0, 19)} in your Pod.`;
  return new ClientError('no-reading', message, { hint: `It would be ${url}.` });
}
