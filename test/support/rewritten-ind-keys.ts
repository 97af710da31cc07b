import { expect } from 'vitest';
import { buildEmptyIndKeys, buildIndKeyEntry, IndKeys } from '../../src/pod/formats/ind-keys.js';
import { vocabulary as v, writeTurtle } from '../../src/pod/formats/vocabulary.js';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { getTurtle, putDocument } from '../../src/solid/documents.js';
import type { InitialisedPod } from './initialised-pod.js';

/** The app writes the document whole, from keys that it holds: what we added meanwhile is gone. */
export async function dropOwnKeys({ client, pod }: InitialisedPod): Promise<void> {
  const { indKeys } = pod.documents;
  await putDocument(client, indKeys, buildEmptyIndKeys(indKeys));
}

/** The entry of a resource under another key, as somebody might write it. */
export async function putOtherKey(
  { client, pod }: InitialisedPod,
  resource: string,
  key: Buffer,
): Promise<void> {
  const { indKeys } = pod.documents;
  const entry = buildIndKeyEntry(resource, key, pod);
  await putDocument(client, indKeys, `${buildEmptyIndKeys(indKeys)}\n${writeTurtle(entry)}`);
}

/** The key that the app finds for each resource, under the present master key; fails where it would. */
export async function keysForTheApp(
  { client, pod, securityKey }: InitialisedPod,
  resources: readonly string[],
): Promise<Buffer[]> {
  const document = await getTurtle(client, pod.documents.indKeys);
  const { webId, appDir } = pod;
  const { masterKey } = await unlockPod(client, { webId, appDir, securityKey });
  return resources.map((resource) => {
    for (const predicate of [v.path, v.iv, v.sessionKey]) {
      expect(document?.literals(resource, predicate), resource).toHaveLength(1);
    }
    expect(document?.literals(resource, v.path)).toEqual([resource.slice(pod.root.length)]);
    const { key } = new IndKeys(document ?? null).entryOf(resource, { root: pod.root, masterKey });
    if (!key) throw new Error(`There is no key for ${resource}.`);
    return key;
  });
}
