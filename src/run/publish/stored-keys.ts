import { AnalyserError } from '../../base/errors.js';
import type { IndKeys } from '../../pod/documents/ind-keys.js';
import { holdsKey, readIndKeys } from '../../pod/resource-keys.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import type { Connection } from '../connection.js';

interface StoredKeys {
  /** Null where ind-keys.ttl could not be read; `failure` says why. */
  indKeys: IndKeys | null;
  failure: AnalyserError | null;
  /**
   * Documents for which ind-keys.ttl has another key than expected, or no key; all documents if ind-keys.ttl could not
   * be read.
   */
  wrong: ReadonlyMap<string, { expected: Buffer; stored: Buffer | null }>;
}

/** What ind-keys.ttl says of the keys of our documents. */
export async function readStoredKeys(
  connection: Pick<Connection, 'client' | 'pod' | 'unlockedNow'>,
  keys: ReadonlyMap<string, Buffer>,
  signal?: AbortSignal,
): Promise<StoredKeys> {
  const { client, pod } = connection;
  try {
    const indKeys = await readIndKeys(stoppedBy(client, signal), pod);
    if (!hasShutEntry(indKeys, pod, keys)) {
      return { indKeys, failure: null, wrong: wrongIn(indKeys, pod, keys) };
    }
    // The app may have sealed its keys anew since this analysis began.
    const now = await connection.unlockedNow(signal);
    const wrong = wrongIn(indKeys, now, keys);
    if (now !== pod) now.dispose();
    return { indKeys, failure: null, wrong };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof AnalyserError)) throw error;
    const all: StoredKeys['wrong'] = new Map(
      Array.from(keys, ([url, expected]) => [url, { expected, stored: null }]),
    );
    return { indKeys: null, failure: error, wrong: all };
  }
}

function hasShutEntry(
  indKeys: IndKeys,
  pod: UnlockedPod,
  keys: ReadonlyMap<string, Buffer>,
): boolean {
  return [...keys.keys()].some((url) => indKeys.entryOf(url, pod).problem !== null);
}

function wrongIn(
  indKeys: IndKeys,
  pod: UnlockedPod,
  keys: ReadonlyMap<string, Buffer>,
): StoredKeys['wrong'] {
  const wrong = [...keys].filter(([url, key]) => !holdsKey(indKeys, pod, url, key));
  return new Map(
    wrong.map(([url, expected]) => [url, { expected, stored: indKeys.entryOf(url, pod).key }]),
  );
}
