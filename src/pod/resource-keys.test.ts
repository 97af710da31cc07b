import { expect, test } from 'vitest';
import { hidingClient } from '../../test/support/hiding-client.js';
import { publishers } from '../../test/support/publishing.js';
import { unlockedPod } from '../../test/support/unlocked-pod.js';
import { patchDocument } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';
import { buildIndKeyEntry } from './formats/ind-keys.js';
import {
  ensureResourceKeys,
  findResourceKeys,
  putResourceKeys,
  readIndKeys,
  removeResourceKeys,
} from './resource-keys.js';

const pod = await unlockedPod('https://pods.example/alice/');
const resource = `${pod.root}app/data/x.enc.ttl`;

/** The app takes one value for each predicate. */
test('[7.8] while ind-keys.ttl is hidden, the key of a new resource is made once', async () => {
  const client = hidingClient(3);
  const keys = await ensureResourceKeys(client, pod, [resource]);
  expect(client.inserted.get(pod.documents.indKeys)?.size).toBe(3);
  expect(keys.size).toBe(1);
  expect(await findResourceKeys(client, pod, [resource])).toEqual(keys);
});

test('[7.8] and a key that is given is sealed once', async () => {
  const client = hidingClient(3);
  const keys = new Map([[resource, Buffer.alloc(32, 2)]]);
  await putResourceKeys(client, pod, keys, await readIndKeys(client, pod));
  expect(client.inserted.get(pod.documents.indKeys)?.size).toBe(3);
  expect(await findResourceKeys(client, pod, [resource])).toEqual(keys);
});

const [ours, theirs] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

/** Somebody with a Pod, and two of their resources. */
async function somebody() {
  const { server, analyser } = await publishers();
  const { client, pod } = analyser;
  const [one, two] = ['one', 'two'].map((name) => `${pod.documents.app}data/${name}.enc.ttl`);
  const statements = () => server.triplesOf(pod.documents.indKeys).length;
  return { client, pod, one: one ?? '', two: two ?? '', statements };
}

test('[7.8] a key that somebody else adds at the same moment is the one, and ours goes', async () => {
  const { client, pod, one, two, statements } = await somebody();
  const before = statements();
  let isFirst = true;
  const beside: SolidClient = {
    ...client,
    async request(url, options) {
      if (options?.method === 'PATCH' && isFirst) {
        isFirst = false;
        const insert = buildIndKeyEntry(one, theirs, pod);
        await patchDocument(client, pod.documents.indKeys, { insert });
      }
      return await client.request(url, options);
    },
  };
  const keys = await ensureResourceKeys(beside, pod, [one, two], () => ours);
  expect(keys).toEqual(
    new Map([
      [one, theirs],
      [two, ours],
    ]),
  );
  expect(await findResourceKeys(client, pod, [one, two])).toEqual(keys);
  // Three for each resource: the app takes one value for each predicate.
  expect(statements() - before).toBe(6);
});

test('[7.8] a key in use stays, and a wrong one gives way to the right one', async () => {
  const { client, pod, one, statements } = await somebody();
  await ensureResourceKeys(client, pod, [one], () => ours);
  const after = statements();
  expect(await ensureResourceKeys(client, pod, [one], () => theirs)).toEqual(
    new Map([[one, ours]]),
  );
  await putResourceKeys(client, pod, new Map([[one, theirs]]), await readIndKeys(client, pod));
  expect(await findResourceKeys(client, pod, [one])).toEqual(new Map([[one, theirs]]));
  expect(statements()).toBe(after);
});

test('[7.8] beside an entry that cannot be read no key is made: it would lock out who holds the first', async () => {
  const { client, pod, one, statements } = await somebody();
  for (const key of [ours, theirs]) {
    await patchDocument(client, pod.documents.indKeys, { insert: buildIndKeyEntry(one, key, pod) });
  }
  const after = statements();
  await expect(findResourceKeys(client, pod, [one])).rejects.toMatchObject({ kind: 'malformed' });
  await expect(ensureResourceKeys(client, pod, [one])).rejects.toMatchObject({ kind: 'malformed' });
  expect(statements()).toBe(after);
});

test('[8.3] of resources that are erased the keys go, whatever stands there, and no others', async () => {
  const { client, pod, one, two, statements } = await somebody();
  const before = statements();
  await ensureResourceKeys(client, pod, [two], () => theirs);
  for (const key of [ours, theirs]) {
    await patchDocument(client, pod.documents.indKeys, { insert: buildIndKeyEntry(one, key, pod) });
  }
  const none = `${pod.documents.app}data/none.enc.ttl`;
  expect(await removeResourceKeys(client, pod, [one, none])).toEqual([one]);
  expect(statements() - before).toBe(3);
  expect(await findResourceKeys(client, pod, [one, two])).toEqual(new Map([[two, theirs]]));
  expect(await removeResourceKeys(client, pod, [one, none])).toEqual([]);
});
