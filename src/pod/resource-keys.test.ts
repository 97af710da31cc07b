import { expect, test } from 'vitest';
import { hidingClient } from '../../test/support/hiding-client.js';
import { unlockedPod } from '../../test/support/unlocked-pod.js';
import {
  ensureResourceKeys,
  findResourceKeys,
  putResourceKeys,
  readIndKeys,
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

test('and a key that is given is sealed once', async () => {
  const client = hidingClient(3);
  const keys = new Map([[resource, Buffer.alloc(32, 2)]]);
  await putResourceKeys(client, pod, keys, await readIndKeys(client, pod));
  expect(client.inserted.get(pod.documents.indKeys)?.size).toBe(3);
  expect(await findResourceKeys(client, pod, [resource])).toEqual(keys);
});
