import { AnalyserError } from '../../base/errors.js';
import { resourcesWithout } from '../../pod/change-resource-keys.js';
import { indexSubjects, storedIndKey } from '../../pod/documents/ind-keys.js';
import { type IndKeys, readIndKeys, subjectsOf } from '../../pod/resource-keys.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import { vocabulary as v } from '../../pod/vocabulary.js';
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
  { document }: IndKeys,
  { masterKey }: UnlockedPod,
  keys: ReadonlyMap<string, Buffer>,
): boolean {
  if (document === null) return false;
  const index = indexSubjects(document);
  return [...keys.keys()].some((url) => {
    const subjects = subjectsOf(index, url);
    const isThere = subjects.some((subject) => document.literals(subject, v.sessionKey).length > 0);
    return isThere && storedIndKey(document, subjects, masterKey) === null;
  });
}

function wrongIn(
  indKeys: IndKeys,
  pod: UnlockedPod,
  keys: ReadonlyMap<string, Buffer>,
): StoredKeys['wrong'] {
  const { document } = indKeys;
  const without = resourcesWithout(indKeys, pod, keys);
  return new Map(
    Array.from(without, ([url, { key, subjects }]) => {
      const stored = document && storedIndKey(document, subjects, pod.masterKey);
      return [url, { expected: key, stored }];
    }),
  );
}
