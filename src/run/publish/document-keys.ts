import { mapConcurrently } from '../../base/concurrency.js';
import { AnalyserError } from '../../base/errors.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import { digestsOf } from '../../memory/digests.js';
import { type Memory, MOST_EARLIER_KEYS } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { deriveDocumentKey } from '../../pod/crypto/document-key.js';
import { putResourceKeys } from '../../pod/resource-keys.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import type { Connection } from '../connection.js';
import { openedWith } from './opened-with.js';
import { readStoredKeys } from './stored-keys.js';

/** How many documents with an unexpected key are fetched side by side. */
const DOCUMENTS_AT_ONCE = 8;

/** The keys of documents that are published. */
export interface DocumentKeys {
  /** Throws when the key is not known, and says why. */
  keyOf(url: string): Buffer;
  /** Earlier keys that the memory does not hold yet, by a digest of the path. */
  earlier: ReadonlyMap<string, Buffer>;
  /** How many documents with an expected key have no right key in ind-keys.ttl; 0 if it could not be read. */
  lost: number;
  /** Writes missing keys into ind-keys.ttl, where the app looks for them; returns warnings. */
  store(): Promise<string[]>;
}

/**
 * A document's key is derived from the private key and the path. A document that was encrypted under another key before
 * keeps that earlier key. The earlier key is taken from the memory or, if the memory has none, from ind-keys.ttl,
 * provided that it opens the document. This function only reads.
 */
export async function findDocumentKeys(
  connection: Pick<Connection, 'client' | 'pod' | 'unlockedNow'>,
  { memory, fingerprint }: Pick<FoundMemory, 'memory' | 'fingerprint'>,
  urls: readonly string[],
  signal?: AbortSignal,
): Promise<DocumentKeys> {
  const { client, pod } = connection;
  const digestOf = digestsOf({ fingerprint });
  const pathOf = (url: string) => url.slice(pod.root.length);
  const rememberedKey = (url: string) => memory.earlierKeys.get(digestOf('path', pathOf(url)));
  const keys = new Map(
    urls.map((url) => [url, rememberedKey(url) ?? deriveDocumentKey(pod.privateKey, pathOf(url))]),
  );
  const { indKeys, failure, wrong } = await readStoredKeys(connection, keys, signal);
  const failures = new Map<string, AnalyserError>();
  const earlier = new Map<string, Buffer>();
  let lost = 0;
  await mapConcurrently(wrong, DOCUMENTS_AT_ONCE, async ([url, { expected, stored }]) => {
    try {
      const opened = rememberedKey(url)
        ? 'first'
        : await openedWith(client, url, [expected, stored], signal);
      if (opened === 'second' && stored !== null) {
        keys.set(url, stored);
        earlier.set(digestOf('path', pathOf(url)), stored);
      } else if (opened === 'none' && failure !== null) {
        // The document must not be written now: its readers may hold a key that stands only in ind-keys.ttl, which could
        // not be read.
        failures.set(url, failure);
      } else if (opened !== 'absent') {
        lost += 1;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof AnalyserError)) throw error;
      failures.set(url, error);
    }
  });
  return {
    keyOf(url) {
      const problem = failures.get(url);
      if (problem !== undefined) throw problem;
      const key = keys.get(url);
      if (key !== undefined) return key;
      throw new AnalyserError('malformed', `There is no key to encrypt ${url} with.`);
    },
    earlier,
    lost: failure === null ? lost : 0,
    async store() {
      const known = new Map([...keys].filter(([url]) => !failures.has(url)));
      if (failure !== null) return [notStored(failure, pod)];
      if (indKeys === null || wrong.size === earlier.size) return [];
      try {
        // Uses the master key of this moment, because the app may have sealed the keys anew meanwhile.
        const now = await connection.unlockedNow();
        try {
          await putResourceKeys(client, now, known, indKeys);
        } finally {
          if (now !== pod) now.dispose();
        }
        return lost === 0 ? [] : [`${describeLost(lost, pod.documents)}; put back.`];
      } catch (error) {
        if (!(error instanceof AnalyserError)) throw error;
        return [notStored(error, pod)];
      }
    },
  };
}

function notStored(error: AnalyserError, { documents }: Pick<UnlockedPod, 'documents'>): string {
  const reason = withoutFullStop(error.message);
  return `The keys of published documents could not be written to ${documents.indKeys}, where the app looks for them: ${reason}. The next analysis tries again.`;
}

export function describeLost(lost: number, { indKeys }: { indKeys: string }): string {
  return `${indKeys} did not hold the keys of ${countOf(lost, 'published document')}, as after the app has rewritten it`;
}

/** The memory together with keys that were found, as far as there is room. */
export function withEarlierKeys(memory: Memory, earlier: ReadonlyMap<string, Buffer>): Memory {
  if (earlier.size === 0) return memory;
  const all = [...memory.earlierKeys, ...earlier].slice(0, MOST_EARLIER_KEYS);
  return { ...memory, earlierKeys: new Map(all) };
}
