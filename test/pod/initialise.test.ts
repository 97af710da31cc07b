import { describe, expect, test } from 'vitest';
import { publicBodyOf } from '../../src/pod/crypto/rsa.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { Connection } from '../../src/run/connection.js';
import { nothingKnown } from '../memory/memory-support.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { openClient } from '../support/open-client.js';
import { rekeyPod } from '../support/rekeyed-pod.js';
import { createPod, sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const alice = await createInitialisedPod(server);
const stranger = await createInitialisedPod(server, { keyVersion: 1 });
const anonymous = openClient({ serverUrl: server.baseUrl, credentials: null });

async function status(client: InitialisedPod['client'], url: string, patch?: string) {
  const headers = { 'content-type': 'application/sparql-update' };
  const answer = await client.request(
    url,
    patch === undefined ? {} : { method: 'PATCH', headers, body: patch },
  );
  return answer.status;
}

describe.each([
  [2, () => alice],
  [1, () => stranger],
] as const)('a Pod with key derivation %i', (version, who) => {
  test('[1.1] is unlocked by its security key and by no other', async () => {
    const { client, pod, securityKey } = who();
    const lock = { webId: pod.webId, appDir: 'app', securityKey };
    const again = await unlockPod(client, lock);
    expect(again.encKeys.keyVersion).toBe(version);
    expect(again.masterKey).toEqual(pod.masterKey);
    expect(publicBodyOf(again.privateKey)).toBe(publicBodyOf(pod.privateKey));
    again.dispose();
    expect(again.masterKey).toEqual(Buffer.alloc(32));
    await expect(unlockPod(client, { ...lock, securityKey: 'another' })).rejects.toMatchObject({
      kind: 'keys',
      message: expect.stringContaining('The configured security key does not match'),
    });
  });
});

describe('access to the documents of a Pod', () => {
  const insert = 'INSERT DATA { <urn:a> <urn:b> "c" . }';
  const read = (url: string) => status(stranger.client, url);

  test('keys are closed to others', async () => {
    expect(await read(alice.pod.documents.encKeys)).toBe(403);
    expect(await read(alice.pod.documents.indKeys)).toBe(403);
    expect(await status(anonymous, alice.pod.documents.encKeys)).toBe(401);
  });

  test('the public key is open to everyone for reading only', async () => {
    const { publicKey } = alice.pod.documents;
    expect(await status(anonymous, publicKey)).toBe(200);
    expect(await status(stranger.client, publicKey, insert)).toBe(403);
  });

  test('the inbox is open to everyone for reading and writing, the document and its content', async () => {
    const other = `${alice.pod.documents.sharedFolder}other.ttl`;
    expect(await status(stranger.client, other, insert)).toBe(201);
    expect(await read(other)).toBe(200);
  });

  test('the log is open to everyone for adding only', async () => {
    const { permissionsLog } = alice.pod.documents;
    expect(await read(permissionsLog)).toBe(403);
    expect(await status(stranger.client, permissionsLog, insert)).toBe(205);
    const remove = 'DELETE DATA { <urn:a> <urn:b> "c" . }';
    expect(await status(stranger.client, permissionsLog, remove)).toBe(403);
  });
});

test('[1.1] a Pod that is initialised is refused, and its keys stay', async () => {
  const { client, pod, securityKey } = alice;
  const before = await client.request(pod.documents.encKeys);
  const again = { webId: pod.webId, appDir: 'app', securityKey };
  await expect(initialisePod(client, again)).rejects.toThrow('is already initialised');
  await expect(initialisePod(client, { ...again, securityKey: 'other' })).rejects.toThrow(
    'The configured security key does not match',
  );
  expect((await client.request(pod.documents.encKeys)).body).toEqual(before.body);
});

test('[1.10][T41] keys that the app has sealed anew take the place of the old ones, which are let go, as at the end of the connection', async () => {
  const owner = await createInitialisedPod(server);
  const { client, pod, securityKey } = owner;
  const before = await unlockPod(client, { webId: pod.webId, appDir: 'app', securityKey });
  const connection = new Connection(client, before, securityKey);
  const { memory, inboxCache } = connection;
  const { keyedDigest } = await memory.read(nothingKnown);
  const digest = keyedDigest('root', 'x');
  inboxCache.last = { fingerprint: '', inbox: { shares: [], notInView: [], warnings: [] } };
  await rekeyPod(owner, securityKey);
  await connection.renew(new AbortController().signal);
  expect(connection.pod).not.toBe(before);
  expect(before.masterKey).toEqual(Buffer.alloc(32));
  expect(inboxCache.last).toBeNull();
  // The key of the memory does not change with them, but the old memory has none any more.
  const found = await connection.memory.read(nothingKnown);
  expect(found.keyedDigest('root', 'x')).toBe(digest);
  expect(keyedDigest('root', 'x')).not.toBe(digest);
  const last = connection.pod;
  await connection.close();
  expect(last.masterKey).toEqual(Buffer.alloc(32));
});

test('a Pod left half finished is completed around the keys it has', async () => {
  const half = await createInitialisedPod(server);
  const { client, pod, securityKey } = half;
  const before = await client.request(pod.documents.encKeys);
  const publicKey = await client.request(pod.documents.publicKey);
  for (const url of [pod.documents.publicKey, `${pod.documents.permissionsLog}.acl`]) {
    await client.request(url, { method: 'DELETE' });
  }
  const lock = { webId: pod.webId, appDir: 'app', securityKey };
  (await initialisePod(client, lock)).dispose();
  expect((await client.request(pod.documents.encKeys)).body).toEqual(before.body);
  expect((await client.request(pod.documents.publicKey)).body).toEqual(publicKey.body);
  expect(await status(anonymous, pod.documents.publicKey)).toBe(200);
});

describe('a Pod that cannot be unlocked says why', () => {
  test('it was never initialised', async () => {
    const account = await createPod(server);
    const client = openClient({ serverUrl: server.baseUrl, credentials: account });
    const lock = { webId: account.webId, appDir: 'app', securityKey: 'x' };
    await expect(unlockPod(client, lock)).rejects.toMatchObject({
      kind: 'keys',
      message: expect.stringMatching(/enc-keys\.ttl does not exist.*choose a security key/),
    });
  });

  test('the credentials belong to somebody else', async () => {
    const lock = { webId: alice.pod.webId, appDir: 'app', securityKey: alice.securityKey };
    await expect(unlockPod(stranger.client, lock)).rejects.toMatchObject({
      kind: 'server',
      message: expect.stringContaining('Check that the client credentials are bound to'),
    });
  });
});
