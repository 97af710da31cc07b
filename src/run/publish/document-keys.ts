import { AnalyserError } from '../../base/errors.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import { MOST_EARLIER_KEYS } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { deriveDocumentKey } from '../../pod/crypto/document-key.js';
import { holdsKey, putResourceKeys, readIndKeys } from '../../pod/resource-keys.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import { type SolidClient, stoppedBy } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';

/** A document's key is derived from the private key and the path, unless it had another one before. */
export function documentKeys(
  { pod }: Pick<PodAccess, 'pod'>,
  { memory, keyedDigest }: Pick<FoundMemory, 'memory' | 'keyedDigest'>,
): (url: string) => Buffer {
  return (url) => {
    const path = url.slice(pod.root.length);
    return (
      memory.earlierKeys.get(keyedDigest('path', path)) ?? deriveDocumentKey(pod.privateKey, path)
    );
  };
}

/** Perhaps another implementation has published documents: their recipients keep the keys, and look for no new ones. */
export async function takeOverKeys(
  { client, pod }: PodAccess,
  resultsFolder: string,
  { memory, keyedDigest }: Pick<FoundMemory, 'memory' | 'keyedDigest'>,
  signal?: AbortSignal,
): Promise<Pick<FoundMemory, 'memory' | 'notices'>> {
  const indKeys = await readIndKeys(stoppedBy(client, signal), pod);
  let unusable = 0;
  const published = [...indKeys.resources].filter((url) => url.startsWith(resultsFolder));
  const earlier = published.map((url): [string, Buffer][] => {
    const { key, problem } = indKeys.entryOf(url, pod);
    if (problem !== null) unusable += 1;
    const path = url.slice(pod.root.length);
    const isOurs = key === null || key.equals(deriveDocumentKey(pod.privateKey, path));
    return isOurs ? [] : [[keyedDigest('path', path), key]];
  });
  const all = [...memory.earlierKeys, ...earlier.flat()].slice(0, MOST_EARLIER_KEYS);
  const notice = `${countOf(unusable, 'key')} of results that were published before could not be taken over, since ${pod.documents.indKeys} does not hold exactly one that opens for each: who keeps the key of such a result cannot open new ones with it.`;
  return {
    memory: { ...memory, earlierKeys: new Map(all) },
    notices: unusable === 0 ? [] : [notice],
  };
}

/** In ind-keys.ttl, where the app looks. Returns a warning if that fails: recipients are handed keys all the same. */
export async function storeKeys(
  { connection, analyserPod }: { connection: Connection; analyserPod: SolidClient },
  documents: readonly { url: string; key: Buffer | null }[],
): Promise<string[]> {
  const { pod } = connection;
  const keys = new Map<string, Buffer>();
  for (const { url, key } of documents) if (key !== null) keys.set(url, key);
  if (keys.size === 0) return [];
  try {
    const found = await readIndKeys(analyserPod, pod);
    if ([...keys].every(([url, key]) => holdsKey(found, pod, url, key))) return [];
    // The master key of this moment, because the app may have sealed the keys anew meanwhile.
    const now = await connection.unlockedNow(analyserPod);
    try {
      await putResourceKeys(analyserPod, now, keys, found);
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
