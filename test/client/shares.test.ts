import { expect, test } from 'vitest';
import { revokeReadings } from '../../src/client/client.js';
import { deleteShareEntries } from '../../src/pod/sharing/share-entries.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const recipient = await createInitialisedPod(server);
const owner = await createContributor(server, recipient, weekly([120, 80, 60], [124, 82, 61]));

test('[T31] access ends also where a stranger has removed the entry that names the reading', async () => {
  const { webId } = recipient.pod;
  const [url = '', kept = ''] = owner.urls;
  const statusOf = async (one: string) => (await recipient.client.request(one)).status;
  expect(await Promise.all([url, kept].map(statusOf))).toEqual([200, 200]);
  await deleteShareEntries(owner.client, recipient.pod, [url]);
  expect(await revokeReadings(owner, webId)).toBe(2);
  expect(await Promise.all([url, kept].map(statusOf))).toEqual([403, 403]);
  expect(await revokeReadings(owner, webId)).toBe(0);
});
