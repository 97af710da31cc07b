import { describe, expect, test } from 'vitest';
import { podDocuments } from '../../src/pod/addresses.js';
import { FolderKeys } from '../../src/pod/folder-keys.js';
import { EntryOpener, readInbox } from '../../src/pod/inbox.js';
import { readResource, refusal } from '../../src/pod/read-resource.js';
import { revokeShares, shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { isSuccess } from '../../src/solid/documents.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { openClient } from '../support/open-client.js';
import { recordRequests } from '../support/recording-client.js';
import { createPod, sharedSolidServer } from '../support/solid-server.js';
import { writeInheriting } from '../support/write-inheriting.js';

const server = sharedSolidServer();
const alice = await createInitialisedPod(server);
const analyser = await createInitialisedPod(server, { keyVersion: 1 });
const opener = new EntryOpener(analyser.pod.privateKey);

const data = (path: string) => `${alice.pod.documents.app}data/${path}`;
const share = (...urls: string[]) =>
  shareResources(alice.client, alice.pod, { urls, recipientWebId: analyser.pod.webId });

async function write(urls: string[], folder?: string): Promise<void> {
  const contents = urls.map((url) => ({ url, content: `content of ${url}` }));
  if (folder === undefined) await writeEncryptedResources(alice.client, alice.pod, contents);
  else await writeInheriting(alice, contents, folder);
}

async function inboxOf(folder: string) {
  const isInView = (url: string) => url.startsWith(folder);
  return readInbox(analyser.client, analyser.pod, opener, { isInView, withModes: true });
}

async function readAsAnalyser(url: string): Promise<{ read: string } | { skipped: string }> {
  const { shares } = await inboxOf(url);
  const answer = await analyser.client.request(url);
  if (!isSuccess(answer)) return { skipped: refusal(answer.status).reason };
  const outcome = await readResource(answer, {
    root: alice.pod.root,
    keys: shares[0]?.keys ?? [],
    folder: null,
    folderKeys: new FolderKeys(),
    parseText: (text) => (text.startsWith('content of ') ? text : null),
  });
  return outcome.kind === 'read' ? { read: outcome.read } : { skipped: outcome.reason };
}

/** What was written, in order: the same kind in succession once. */
const writesOf = ({ requests }: ReturnType<typeof recordRequests>) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ url }) => /\.(acl|enc\.ttl)$/.exec(url)?.[0] ?? url.split('/').at(-1))
    .filter((kind, index, all) => kind !== all[index - 1]);

describe('one file', () => {
  test('[T37] opens for the recipient and for nobody else', async () => {
    const url = data('one/bp.json.enc.ttl');
    await write([url]);
    expect(await readAsAnalyser(url)).toEqual({
      skipped: 'the Analyser may not read it (HTTP 403)',
    });
    await share(url);
    expect(await readAsAnalyser(url)).toEqual({ read: `content of ${url}` });
    expect((await inboxOf(url)).shares).toMatchObject([{ url, modes: ['read'] }]);
    const stranger = openClient({ serverUrl: server.baseUrl, credentials: null });
    expect((await stranger.request(url)).status).toBe(401);
  });

  test('[T31] that is taken back is gone, and others keep their access', async () => {
    const other = await createInitialisedPod(server);
    const url = data('back/bp.json.enc.ttl');
    await write([url]);
    await shareResources(alice.client, alice.pod, { urls: [url], recipientWebId: other.pod.webId });
    await share(url);
    const client = recordRequests(alice.client);
    await revokeShares(client, alice.pod, { urls: [url], recipientWebId: analyser.pod.webId });
    // Access goes first: if a later step fails, nothing can be read any more.
    expect(writesOf(client)).toEqual(['.acl', 'shared-keys.ttl', 'permissions-log.ttl']);
    expect((await inboxOf(url)).shares).toEqual([]);
    expect((await analyser.client.request(url)).status).toBe(403);
    expect((await other.client.request(url)).status).toBe(200);
    expect((await alice.client.request(`${url}.acl`)).status).toBe(200);
  });
});

test('forty files at once change the inbox and each log once, in the order of the app', async () => {
  const urls = Array.from({ length: 40 }, (_, index) => data(`forty/bp-${index}.json.enc.ttl`));
  const client = recordRequests(alice.client);
  const contents = urls.map((url) => ({ url, content: `content of ${url}` }));
  await writeEncryptedResources(client, alice.pod, contents);
  await shareResources(client, alice.pod, { urls, recipientWebId: analyser.pod.webId });
  const patched = client.requests.filter(({ method }) => method === 'PATCH').map(({ url }) => url);
  expect(patched.sort()).toEqual(
    [
      alice.pod.documents.indKeys,
      alice.pod.documents.permissionsLog,
      analyser.pod.documents.permissionsLog,
      analyser.pod.documents.sharedKeys,
    ].sort(),
  );
  // A key is kept before anything is written with it, and a grant is logged when it is one.
  const order = ['ind-keys.ttl', '.enc.ttl', '.acl', 'shared-keys.ttl', 'permissions-log.ttl'];
  expect(writesOf(client)).toEqual(order);
  const { shares, warnings } = await inboxOf(data('forty/'));
  expect(shares.map(({ url }) => url).sort()).toEqual([...urls].sort());
  expect(warnings).toEqual([]);
  expect(await readAsAnalyser(urls[39] ?? '')).toEqual({ read: `content of ${urls[39]}` });
});

describe('a folder', () => {
  test('[T37] one of its files can be shared alone with the key of the folder', async () => {
    const folder = data('inheriting-one/');
    const [url, other] = [`${folder}a.json.enc.ttl`, `${folder}b.json.enc.ttl`];
    await write([url, other], folder);
    await share(url);
    expect(await readAsAnalyser(url)).toEqual({ read: `content of ${url}` });
    expect((await analyser.client.request(other)).status).toBe(403);
  });

  test('that is shared with somebody stays so for a file shared with somebody else', async () => {
    const doctor = await createInitialisedPod(server);
    const folder = data('doctor/');
    const url = `${folder}bp.json.enc.ttl`;
    await write([url], folder);
    await shareResources(alice.client, alice.pod, {
      urls: [folder],
      recipientWebId: doctor.pod.webId,
    });
    await share(url);
    expect((await doctor.client.request(url)).status).toBe(200);
  });
});

test('a recipient without keys is refused before anything is shared', async () => {
  const account = await createPod(server);
  const url = data('nobody/bp.json.enc.ttl');
  await write([url]);
  const client = recordRequests(alice.client);
  const sharing = { urls: [url], recipientWebId: account.webId };
  await expect(shareResources(client, alice.pod, sharing)).rejects.toThrow(
    'Recipient Pod not initialised',
  );
  expect(client.requests.map(({ method, url: asked }) => [method, asked])).toEqual([
    ['GET', podDocuments(account.root, 'app').publicKey],
  ]);
});
