import { expect, test } from 'vitest';
import { revokeReadings } from '../../src/client/client.js';
import { deleteShareEntries } from '../../src/pod/sharing/share-entries.js';
import { allowReading, createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
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

test.each<[string, (pod: InitialisedPod) => string]>([
  ['of the app', ({ pod }) => pod.documents.app],
  ['of the Pod', ({ pod }) => pod.root],
])(
  '[T31] what is open through the folder %s is closed, where no entry names it either',
  async (_, folderOf) => {
    const person = await createContributor(server, recipient, weekly([130, 85, 62]));
    const { webId } = recipient.pod;
    await revokeReadings(person, webId);
    await allowReading(person, recipient, folderOf(person));
    const [url = ''] = person.urls;
    const status = async () => (await recipient.client.request(url)).status;
    expect(await revokeReadings(person, webId)).toBe(1);
    expect(await status()).toBe(403);
  },
);
