import { setTimeout } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { patchDocument } from '../solid/documents/patch-document.js';
import type { SolidClient } from '../solid/solid-client.js';
import { buildIndKeyEntry, holdsIndKey, indexSubjects } from './documents/ind-keys.js';
import { statementsAbout } from './inbox/shared-keys-document.js';
import { type IndKeys, readIndKeys, subjectsOf } from './resource-keys.js';
import { serialiseByUrl } from './serialise-by-url.js';
import type { UnlockedPod } from './unlock-pod.js';

const MOST_ATTEMPTS = 4;

/**
 * Writes the keys of resources into ind-keys.ttl for the app. If the document does not hold the right key of a
 * resource, everything that it says about this resource is replaced, since the app takes one value for each predicate.
 * `found` is the document as it was read before.
 */
export function putResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  keys: ReadonlyMap<string, Buffer>,
  found: IndKeys,
): Promise<void> {
  const url = pod.documents.indKeys;
  return serialiseByUrl(url, async () => {
    let indKeys = found;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const wrong = resourcesWithout(indKeys, pod, keys);
      if (wrong.size === 0) return;
      const { document, body, etag } = indKeys;
      const subjects = [...wrong.values()].flatMap(({ subjects: all }) => all);
      const old = await statementsAbout(body.toString(), url, subjects, Infinity);
      const insert = Array.from(wrong, ([resource, { key }]) =>
        buildIndKeyEntry(resource, pod.root, key, pod.masterKey),
      ).flat();
      const condition = document === null ? { ifAbsent: true } : { ...(etag && { ifMatch: etag }) };
      try {
        await patchDocument(client, url, { delete: old, insert }, condition);
      } catch (error) {
        if (!(error instanceof ServerError) || error.details.status !== 412) throw error;
        await setTimeout(Math.random() * 200 * attempt);
      }
      // Read again even after success, because the server's ETag is the same for two changes within one second.
      indKeys = await readIndKeys(client, pod);
    }
    if (resourcesWithout(indKeys, pod, keys).size === 0) return;
    throw new AnalyserError('server', `${url} does not show what was written to it. Try again.`);
  });
}

/** The resources for which ind-keys.ttl does not hold exactly the given key, each with the subjects that name it. */
export function resourcesWithout(
  { document }: Pick<IndKeys, 'document'>,
  { root, masterKey }: Pick<UnlockedPod, 'root' | 'masterKey'>,
  keys: ReadonlyMap<string, Buffer>,
): Map<string, { key: Buffer; subjects: readonly string[] }> {
  const index = document === null ? new Map<string, string[]>() : indexSubjects(document);
  const without = new Map<string, { key: Buffer; subjects: readonly string[] }>();
  for (const [resource, key] of keys) {
    const subjects = subjectsOf(index, resource);
    const path = resource.slice(root.length);
    const holds = document !== null && holdsIndKey(document, subjects, { path, key, masterKey });
    if (!holds) without.set(resource, { key, subjects });
  }
  return without;
}
