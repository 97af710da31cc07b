import { AnalyserError } from '../../base/errors.js';
import { withoutFullStop } from '../../base/sentences.js';
import { type DigestOf, digestsOf, type Fingerprint } from '../../memory/digests.js';
import { type Memory, MOST_EARLIER_KEYS } from '../../memory/memory.js';
import { deriveDocumentKey } from '../../pod/crypto/document-key.js';
import { holdsKey, putResourceKeys, readIndKeys } from '../../pod/resource-keys.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import type { Connection } from '../connection.js';
import type { PodAccess } from '../pod-access.js';
import type { KeyOf } from './recipient-documents.js';

/** A document's key is derived from the private key and the path, unless it had another one before. */
export function documentKeys(
  { pod }: Pick<PodAccess, 'pod'>,
  { memory, fingerprint }: Fingerprint & { memory: Memory },
): KeyOf {
  const digestOf = digestsOf({ fingerprint });
  return (url) => {
    const path = url.slice(pod.root.length);
    return (
      memory.earlierKeys.get(digestOf('path', path)) ?? deriveDocumentKey(pod.privateKey, path)
    );
  };
}

/**
 * Takes over the keys that ind-keys.ttl names for documents below the folder of results, once, when the memory is made:
 * perhaps another implementation has published them. Readers hold these keys and do not look for new ones.
 */
export async function takeOverKeys(
  { client, pod }: PodAccess,
  resultsFolder: string,
  { memory, digestOf }: { memory: Memory; digestOf: DigestOf },
  signal?: AbortSignal,
): Promise<Memory> {
  const indKeys = await readIndKeys(stoppedBy(client, signal), pod);
  const earlier = Array.from(indKeys.resources, (url): [string, Buffer][] => {
    const key = url.startsWith(resultsFolder) ? indKeys.entryOf(url, pod).key : null;
    const path = url.slice(pod.root.length);
    const isOurs = key === null || key.equals(deriveDocumentKey(pod.privateKey, path));
    return isOurs ? [] : [[digestOf('path', path), key]];
  });
  const all = [...memory.earlierKeys, ...earlier.flat()].slice(0, MOST_EARLIER_KEYS);
  return { ...memory, earlierKeys: new Map(all) };
}

/**
 * Writes the keys of documents into ind-keys.ttl, where the app looks for them, if its entries are missing or different.
 * Returns a warning if that fails: readers are handed the keys all the same.
 */
export async function storeDocumentKeys(
  connection: Pick<Connection, 'pod' | 'unlockedNow'>,
  client: SolidClient,
  keys: ReadonlyMap<string, Buffer>,
): Promise<string[]> {
  const { pod } = connection;
  if (keys.size === 0) return [];
  try {
    const found = await readIndKeys(client, pod);
    if ([...keys].every(([url, key]) => holdsKey(found, pod, url, key))) return [];
    // The master key of this moment, because the app may have sealed the keys anew meanwhile.
    const now = await connection.unlockedNow(client);
    try {
      await putResourceKeys(client, now, keys, found);
    } finally {
      if (now !== pod) now.dispose();
    }
    return [];
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    const reason = withoutFullStop(error.message);
    return [
      `The keys of published documents could not be written to ${pod.documents.indKeys}, where the app looks for them: ${reason}. The next analysis tries again.`,
    ];
  }
}
