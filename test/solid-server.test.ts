import { request } from 'undici';
import { expect, test } from 'vitest';
import { createPod, sharedSolidServer } from './support/solid-server.js';

test('the shared server hosts Pods whose profile is public and whose root is not', async () => {
  const pod = await createPod(sharedSolidServer());
  expect(pod.webId).toBe(`${pod.root}profile/card#me`);
  expect((await request(pod.webId)).statusCode).toBe(200);
  expect((await request(`${pod.root}secret.ttl`)).statusCode).toBe(401);
});
