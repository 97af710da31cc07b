import { setTimeout } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { patchDocument } from '../solid/documents/patch-document.js';
import type { Triple } from '../solid/documents/sparql-update.js';
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
  return changeIndKeys(client, pod, found, (indKeys) => {
    const wrong = resourcesWithout(indKeys, pod, keys);
    const insert = Array.from(wrong, ([resource, { key }]) =>
      buildIndKeyEntry(resource, pod.root, key, pod.masterKey),
    ).flat();
    return { subjects: [...wrong.values()].flatMap(({ subjects }) => subjects), insert };
  });
}

/** Removes everything that ind-keys.ttl says about the resources; returns those about which it said something. */
export async function removeResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
): Promise<string[]> {
  const found = await readIndKeys(client, pod);
  const subjectsIn = ({ document }: IndKeys, resource: string) =>
    document === null ? [] : subjectsOf(indexSubjects(document), resource);
  await changeIndKeys(client, pod, found, (indKeys) => ({
    subjects: resources.flatMap((resource) => subjectsIn(indKeys, resource)),
    insert: [],
  }));
  return resources.filter((resource) => subjectsIn(found, resource).length > 0);
}

interface EntryChange {
  /** Everything about them is removed. */
  subjects: readonly string[];
  insert: readonly Triple[];
}

/** Changes ind-keys.ttl until there is nothing more to change, since others may change it at the same time. */
function changeIndKeys(
  client: SolidClient,
  pod: UnlockedPod,
  found: IndKeys,
  changeOf: (indKeys: IndKeys) => EntryChange,
): Promise<void> {
  const url = pod.documents.indKeys;
  return serialiseByUrl(url, async () => {
    let indKeys = found;
    for (let attempt = 0; ; attempt += 1) {
      const { subjects, insert } = changeOf(indKeys);
      if (subjects.length + insert.length === 0) return;
      if (attempt === MOST_ATTEMPTS) break;
      const { document, body, etag } = indKeys;
      const old = await statementsAbout(body.toString(), url, subjects, Infinity);
      const condition = document === null ? { ifAbsent: true } : { ...(etag && { ifMatch: etag }) };
      try {
        await patchDocument(client, url, { delete: old, insert }, condition);
      } catch (error) {
        if (!(error instanceof ServerError) || error.details.status !== 412) throw error;
        await setTimeout(Math.random() * 200 * (attempt + 1));
      }
      // Read again even after success, because the server's ETag is the same for two changes within one second.
      indKeys = await readIndKeys(client, pod);
    }
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
