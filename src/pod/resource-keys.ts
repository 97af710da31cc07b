import { setTimeout as pause } from 'node:timers/promises';
import { AnalyserError } from '../base/errors.js';
import { getOrAdd } from '../base/lists.js';
import { getTurtle, patchDocument } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { Changes } from '../solid/sparql-update.js';
import type { Triple } from '../solid/turtle.js';
import { createResourceKey } from './crypto/content-cipher.js';
import { buildIndKeyEntry, IndKeys } from './formats/ind-keys.js';
import { malformed, vocabulary as v } from './formats/vocabulary.js';
import type { UnlockedPod } from './unlock-pod.js';

const MOST_ATTEMPTS = 8;

export async function readIndKeys(
  client: SolidClient,
  { documents }: Pick<UnlockedPod, 'documents'>,
): Promise<IndKeys> {
  return new IndKeys((await getTurtle(client, documents.indKeys)) ?? null);
}

export async function findResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
): Promise<Map<string, Buffer>> {
  return keysIn(await readIndKeys(client, pod), pod, resources);
}

/** Returns what the document holds afterwards, as another process may have been first: a key is never replaced. */
export async function ensureResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
  createKey: () => Buffer = createResourceKey,
): Promise<Map<string, Buffer>> {
  // Made once: a server that hides the document for a while would get another entry with each try.
  const made = new Map<string, Triple[]>();
  const added = new Map<string, Triple[]>();
  const indKeys = await changeIndKeys(client, pod, (indKeys) => {
    // Somebody else has added a key at the same time. Ours is removed, as nobody has used it yet. The statement of the
    // path belongs to both entries.
    const values = [...added].flatMap(([resource, entry]) => {
      if (indKeys.entryOf(resource, pod).problem === null) return [];
      added.delete(resource);
      return entry.filter(({ predicate }) => predicate !== v.path);
    });
    if (values.length > 0) return { delete: values };
    const found = keysIn(indKeys, pod, resources);
    for (const resource of new Set(resources)) {
      const make = () => buildIndKeyEntry(resource, createKey(), pod);
      if (found.has(resource)) added.delete(resource);
      else added.set(resource, getOrAdd(made, resource, make));
    }
    return { insert: [...added.values()].flat() };
  });
  return keysIn(indKeys, pod, resources);
}

/** Replaces all that is said about a resource without the right key: the app takes one value for each predicate. */
export async function putResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  keys: ReadonlyMap<string, Buffer>,
  found: IndKeys,
): Promise<void> {
  const entries = new Map([...keys].map(([url, key]) => [url, buildIndKeyEntry(url, key, pod)]));
  const changeOf = (indKeys: IndKeys) => {
    const wrong = [...keys].filter(([resource, key]) => !holdsKey(indKeys, pod, resource, key));
    return {
      delete: wrong.flatMap(([resource]) => indKeys.entryOf(resource, pod).statements),
      insert: wrong.flatMap(([resource]) => entries.get(resource) ?? []),
    };
  };
  await changeIndKeys(client, pod, changeOf, found);
}

export function holdsKey(
  indKeys: IndKeys,
  pod: Pick<UnlockedPod, 'root' | 'masterKey'>,
  resource: string,
  key: Buffer,
): boolean {
  const entry = indKeys.entryOf(resource, pod);
  return entry.isExact && entry.key?.equals(key) === true;
}

/** Returns those of the resources about which the document said something. */
export async function removeResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
): Promise<string[]> {
  const found = await readIndKeys(client, pod);
  const saying = (indKeys: IndKeys, resource: string) => indKeys.entryOf(resource, pod).statements;
  const changeOf = (indKeys: IndKeys) => ({
    delete: resources.flatMap((resource) => saying(indKeys, resource)),
  });
  await changeIndKeys(client, pod, changeOf, found);
  return resources.filter((resource) => saying(found, resource).length > 0);
}

/**
 * Changes the document until there is nothing more to change, since others may change it at the same time. Returns it
 * as it is then. A condition on the version would not help: the Community Solid Server's ETag is the same for two
 * changes within one second.
 */
async function changeIndKeys(
  client: SolidClient,
  pod: UnlockedPod,
  changeOf: (indKeys: IndKeys) => Changes,
  found?: IndKeys,
): Promise<IndKeys> {
  const url = pod.documents.indKeys;
  let indKeys = found ?? (await readIndKeys(client, pod));
  for (let attempt = 0; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const changes = changeOf(indKeys);
    if (!changes.delete?.length && !changes.insert?.length) return indKeys;
    await patchDocument(client, url, changes);
    if (attempt > 0) await pause(Math.random() * 200 * (attempt + 1));
    indKeys = await readIndKeys(client, pod);
  }
  throw new AnalyserError(
    'server',
    `${url} is being changed by others all the time, or does not show what was written to it. Try again.`,
  );
}

/** Throws for a broken entry: a second key beside it would lock out everybody who holds the first. */
function keysIn(
  indKeys: IndKeys,
  pod: UnlockedPod,
  resources: readonly string[],
): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const resource of resources) {
    const { key, problem } = indKeys.entryOf(resource, pod);
    if (problem !== null) throw malformed(pod.documents.indKeys, problem);
    if (key !== null) keys.set(resource, key);
  }
  return keys;
}
