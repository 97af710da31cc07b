import { describe, expect, test } from 'vitest';
import { restrictToReaders } from '../../src/pod/access-control.js';
import { buildIndKeyEntry } from '../../src/pod/formats/ind-keys.js';
import { shareId } from '../../src/pod/formats/shared-keys.js';
import { ensureResourceKeys, findResourceKeys } from '../../src/pod/resource-keys.js';
import { findRecipientPod, putShareEntries } from '../../src/pod/sharing/share-entries.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { patchDocument } from '../../src/solid/documents.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { readTurtle } from '../../src/solid/turtle.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { readEncrypted } from '../support/open-with-key.js';
import { recordRequests } from '../support/recording-client.js';
import { sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const [analyser, caller, other] = await Promise.all([
  createInitialisedPod(server),
  createInitialisedPod(server),
  createInitialisedPod(server),
]);
const recipient = await findRecipientPod(analyser.client, caller.pod.webId, 'app');
// A port in the address is what the server is particular about.
const url = `${analyser.pod.documents.app}data/analyser/localhost:3000-alice/bp-average.json.enc.ttl`;
const key = await publish('first');

async function publish(content: string): Promise<Buffer> {
  const { client, pod } = analyser;
  const keys = await writeEncryptedResources(client, pod, [{ url, content }]);
  const access = { ownerWebId: pod.webId, readers: [caller.pod.webId] };
  await restrictToReaders(client, url, access);
  return keys.get(url) ?? Buffer.alloc(0);
}

const handOver = (client: SolidClient = analyser.client) =>
  putShareEntries(client, recipient, [{ url, key }]);
await handOver();

const collect = () => readEncrypted(caller, url);

async function keyValues(): Promise<readonly string[]> {
  const { sharedKeys } = caller.pod.documents;
  const document = await readTurtle((await caller.client.request(sharedKeys)).body, sharedKeys);
  const id = shareId(url, caller.pod.webId);
  return document.literals(
    `https://solidcommunity.au/predicates/resourceid#${id}`,
    'https://solidcommunity.au/predicates/data#sharedKey',
  );
}

describe('handing over', () => {
  test('[7.4] again replaces the entry in one change, whatever strangers added to it', async () => {
    const subject = `<https://solidcommunity.au/predicates/resourceid#${shareId(url, caller.pod.webId)}>`;
    const junk = `INSERT DATA { ${subject} <https://solidcommunity.au/predicates/data#sharedKey> "junk", "\\"}" . }`;
    await other.client.request(caller.pod.documents.sharedKeys, {
      method: 'PATCH',
      headers: { 'content-type': 'application/sparql-update' },
      body: junk,
    });
    expect(await keyValues()).toHaveLength(3);
    expect((await collect()).key).toEqual(key);
    const client = recordRequests(analyser.client);
    await putShareEntries(client, recipient, [{ url, key }]);
    expect(await keyValues()).toHaveLength(1);
    expect((await collect()).key).toEqual(key);
    const inbox = caller.pod.documents.sharedKeys;
    const asked = client.requests.filter((request) => request.url === inbox);
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET']);
  });
});

describe('the keys of own resources', () => {
  const own = (name: string) => `${analyser.pod.documents.app}data/${name}`;

  test('[7.8] are made once and found again, also by others who make one at the same moment', async () => {
    const { client, pod } = analyser;
    const urls = ['a', 'b', 'c'].map(own);
    const made = await Promise.all([
      ensureResourceKeys(client, pod, urls),
      ensureResourceKeys(client, pod, [own('b')]),
    ]);
    const found = await findResourceKeys(client, pod, [...urls, own('none')]);
    expect([...found.keys()]).toEqual(urls);
    for (const keys of made) {
      for (const [one, value] of keys) expect(found.get(one)).toEqual(value);
    }
    expect(await ensureResourceKeys(client, pod, urls)).toEqual(found);
  });

  test('[7.8] make way for the key of somebody whom the server let through in the same second', async () => {
    const { client, pod } = analyser;
    const resource = own('same-second');
    const theirs = buildIndKeyEntry(resource, Buffer.alloc(32, 9), pod);
    let isFirst = true;
    const late: SolidClient = {
      close: () => client.close(),
      request: async (asked, options = {}) => {
        if (options.method !== 'PATCH' || !isFirst) return client.request(asked, options);
        isFirst = false;
        await patchDocument(client, asked, { insert: theirs });
        return client.request(asked, options);
      },
    };
    const keys = await ensureResourceKeys(late, pod, [resource]);
    expect(keys.get(resource)).toEqual(Buffer.alloc(32, 9));
    const document = await readTurtle(
      (await client.request(pod.documents.indKeys)).body,
      pod.documents.indKeys,
    );
    for (const name of ['path', 'iv', 'sessionKey']) {
      const predicate = `https://solidcommunity.au/predicates/terms#${name}`;
      expect(document.literals(resource, predicate)).toHaveLength(1);
    }
  });

  test('[7.8] are never written over a document that is broken', async () => {
    const half = await createInitialisedPod(server);
    const { indKeys } = half.pod.documents;
    const put = (body: string) =>
      half.client.request(indKeys, {
        method: 'PUT',
        headers: { 'content-type': 'text/turtle' },
        body,
      });
    const resource = `${half.pod.documents.app}data/x`;
    const predicate = 'https://solidcommunity.au/predicates/terms#sessionKey';
    for (const broken of ['this is no Turtle', `<${resource}> <${predicate}> "half an entry" .`]) {
      await put(broken);
      const asking = ensureResourceKeys(half.client, half.pod, [resource]);
      await expect(asking).rejects.toMatchObject({ kind: 'malformed' });
      expect((await half.client.request(indKeys)).body.toString()).toBe(broken);
    }
  });
});
