import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { putDocument } from '../../src/solid/documents.js';
import { type AnalyserService, startAnalyserService } from '../support/analyser-service.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import {
  type Fault,
  type ProxiedRequest,
  type ProxiedServer,
  startProxiedServer,
} from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { type Snapshot, takeSnapshot } from '../support/snapshot.js';

const tokenLifetimeSeconds = 2;
const completed = { status: 'ANALYSE_STATUS_COMPLETED', published: true };

/** An Analyser with two contributors behind a proxy of their own. */
interface People {
  solid: ProxiedServer;
  analyser: InitialisedPod;
  alice: Contributor;
  bob: Contributor;
}

async function createPeople(solid: ProxiedServer): Promise<People> {
  const analyser = await createInitialisedPod(solid);
  const alice = await createContributor(solid, analyser, weekly([120, 80, 60], [130, 84, 66]));
  const readings = Array.from({ length: 12 }, (): [number, number, number] => [110, 70, 55]);
  const bob = await createContributor(solid, analyser, weekly(...readings));
  return { solid, analyser, alice, bob };
}

/** An analysis whose reply is held against what no reply may say. */
async function analyse(
  { client }: AnalyserService,
  { alice, bob }: People,
  caller: InitialisedPod,
): Promise<Record<string, unknown>> {
  const reply = await client.analyse(caller.pod.webId);
  for (const other of [alice, bob].filter((one) => one !== caller)) {
    expect(JSON.stringify(reply)).not.toContain(other.pod.root);
  }
  return reply;
}

/** Every document and access rule of every Pod, and what the service keeps on its own disk. */
async function snapshotAll(
  { solid, analyser, alice, bob }: People,
  { folder }: AnalyserService,
): Promise<Record<string, Snapshot>> {
  // Not all that the server has on disk: in its own folder files come and go.
  const pods = [analyser, alice, bob].map(({ pod }) =>
    join(solid.server.rootDir, new URL(pod.root).pathname),
  );
  const folders = [...pods, join(folder, 'results'), join(folder, 'charts')];
  const snapshots = await Promise.all(folders.map(takeSnapshot));
  for (const snapshot of snapshots.slice(0, pods.length)) {
    expect(Object.keys(snapshot).length).toBeGreaterThan(10);
  }
  return Object.fromEntries(folders.map((path, index) => [path, snapshots[index] ?? {}]));
}

const people = await createPeople(
  await startProxiedServer({ tokenLifetimeSeconds, bookkeeping: 'files' }),
);
// A pause that never ends: what gets the service ready again is a call, or nothing.
const pauses = { firstMs: 600_000, longestMs: 600_000 };
const service = await startAnalyserService(people.solid, people.analyser, { pauses });

afterEach(() => people.solid.proxy.heal());

/**
 * Cancels alice's analysis as soon as the request is on its way; answers what Cancel said. Either nothing at all has
 * changed afterwards, or everything is whole.
 */
async function cancelDuring(when: (request: ProxiedRequest) => boolean): Promise<unknown> {
  const { solid, alice, analyser } = people;
  const before = await snapshotAll(people, service);
  const delayed = solid.proxy.inject({ when, times: 1, fault: { kind: 'delay', ms: 150 } });
  const call = analyse(service, people, alice);
  await delayed.hit();
  const { status } = await service.client.cancel(alice.pod.webId);
  const reply = await call;
  if (status === 'CANCEL_STATUS_STOPPED') {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED', published: false });
    expect(await snapshotAll(people, service)).toEqual(before);
  } else {
    expect(reply).toMatchObject(completed);
    const { generated_at } = await collectOwn(analyser, alice);
    expect(generated_at).toBe(reply['generated_at']);
  }
  return status;
}

const isRead = (of: readonly string[]) => (request: ProxiedRequest) =>
  request.method === 'GET' && of.includes(request.url);

describe('Cancel leaves nothing half done', () => {
  test.each<[string, (request: ProxiedRequest) => boolean]>([
    [
      'while the inbox is read',
      (request) => isRead([people.analyser.pod.documents.sharedKeys])(request),
    ],
    ["while the caller's readings are read", (request) => isRead(people.alice.urls)(request)],
    ["while somebody else's readings are read", (request) => isRead(people.bob.urls)(request)],
  ])('%s: the run stops and nothing has changed', async (_when, when) => {
    expect(await cancelDuring(when)).toBe('CANCEL_STATUS_STOPPED');
  });

  test.each<[string, (request: ProxiedRequest) => boolean]>([
    ['with the first change to a Pod', ({ method }) => method === 'PUT' || method === 'PATCH'],
    [
      'between the two documents',
      ({ method, url }) =>
        method === 'PUT' && url.includes('bp-cohort-average') && !url.endsWith('.acl'),
    ],
    [
      'while the keys are handed over',
      ({ method, url }) => method === 'PATCH' && url === people.alice.pod.documents.sharedKeys,
    ],
  ])('%s: it comes too late, and all is published', async (_when, when) => {
    expect(await cancelDuring(when)).toBe('CANCEL_STATUS_NOTHING_RUNNING');
  });
});

test('analyses go on over tokens that live for two seconds', async () => {
  const { proxy } = people.solid;
  proxy.forget();
  const logins = () => proxy.requests.filter(({ url }) => url.endsWith('/.oidc/token')).length;
  for (let run = 0; logins() < 3 && run < 100; run += 1) {
    expect(await analyse(service, people, people.alice)).toMatchObject(completed);
  }
  expect(logins()).toBeGreaterThanOrEqual(3);
});

test('a file that cannot be read is told to the caller without its owner', async () => {
  people.solid.proxy.inject({
    when: isRead(people.bob.urls),
    fault: { kind: 'answer', status: 403 },
  });
  expect(await analyse(service, people, people.alice)).toMatchObject({
    ...completed,
    pod_count: 1,
  });
});

test('one Pod that hangs fails no caller, neither the first nor the next', async () => {
  // A tenth of it is for what comes after the reading.
  const grpc = { analysis_timeout_seconds: 40 };
  await using impatient = await startAnalyserService(people.solid, people.analyser, { grpc });
  people.solid.proxy.inject({ when: isRead(people.bob.urls), fault: { kind: 'hang' } });
  const first = analyse(impatient, people, people.alice);
  const next = analyse(impatient, people, people.bob);
  expect(await first).toMatchObject(completed);
  people.solid.proxy.heal();
  expect(await next).toMatchObject({ ...completed, observation_count: 12 });
}, 120_000);

test('a storage server that goes away in the middle fails the call; when it is back, the next one succeeds', async () => {
  const { proxy, server } = people.solid;
  const fault = { kind: 'delay', ms: 100 } as const;
  const reading = proxy.inject({ when: isRead(people.bob.urls), times: 1, fault });
  const call = analyse(service, people, people.alice);
  await reading.hit();
  await server.pause();
  expect(await call).toMatchObject({
    status: 'ANALYSE_STATUS_FAILED',
    message: 'The storage server could not be reached. Try again later.',
  });
  await server.resume();
  expect(await analyse(service, people, people.alice)).toMatchObject(completed);
  expect(await service.client.status()).toMatchObject({ ready: true, active_runs: 0 });
}, 180_000);

test('credentials that are revoked fail the call; once they are back, the next one logs in afresh', async () => {
  const accounts = join(people.solid.server.rootDir, '.internal/accounts');
  const backup = join(service.folder, 'accounts');
  await cp(accounts, backup, { recursive: true });
  await rm(accounts, { recursive: true });

  // The token at hand is good until it has to be renewed.
  const isFailed = { status: 'ANALYSE_STATUS_FAILED' };
  const analysis = () => analyse(service, people, people.alice);
  await expect.poll(analysis, { timeout: 30_000 }).toMatchObject(isFailed);
  expect(await service.client.status()).toMatchObject({
    ready: false,
    message: expect.stringMatching(/login failed: HTTP 401/),
  });
  expect((await analysis())['message']).toMatch(/credentials have expired or were revoked/);

  await cp(backup, accounts, { recursive: true });
  expect(await analyse(service, people, people.alice)).toMatchObject(completed);
  expect(await service.client.status()).toMatchObject({ ready: true, message: '' });
});

test.each<[string, Fault, RegExp]>([
  ['may not be read', { kind: 'answer', status: 403 }, /may not be read \(HTTP 403\)/],
  [
    'are damaged',
    { kind: 'answer', status: 200, body: '<html>Under maintenance</html>' },
    /is not a Turtle document/,
  ],
])('a service whose keys %s is not ready until they are back', async (_what, fault, reason) => {
  const when = isRead([people.analyser.pod.documents.encKeys]);
  people.solid.proxy.inject({ when, fault });
  const failed = { status: 'ANALYSE_STATUS_FAILED' };
  expect(await analyse(service, people, people.alice)).toMatchObject(failed);
  const told = { ready: false, message: expect.stringMatching(reason) };
  expect(await service.client.status()).toMatchObject(told);
  people.solid.proxy.heal();
  expect(await analyse(service, people, people.alice)).toMatchObject(completed);
  expect(await service.client.status()).toMatchObject({ ready: true, message: '' });
});

test('credentials of somebody else are told as that, and whose they are is not', async () => {
  const { analyser, bob, solid } = people;
  const credentials = bob.account;
  await using wrong = await startAnalyserService(solid, analyser, { credentials });
  const { ready, message } = await wrong.client.status();
  expect(ready).toBe(false);
  expect(message).toMatch(/client credentials are bound to http/);
  expect(message).toContain(analyser.pod.webId);
  expect(message).not.toContain(bob.pod.root);
});

test('a refused write is explained, and is whole again once it is allowed', async () => {
  const { analyser, solid } = people;
  const carol = await createContributor(solid, analyser, weekly([100, 60, 50]));
  const rules = `${analyser.pod.documents.app}data/.acl`;
  await putDocument(
    analyser.client,
    rules,
    `@prefix acl: <http://www.w3.org/ns/auth/acl#>.
<#owner> a acl:Authorization; acl:agent <${analyser.pod.webId}>; acl:accessTo <./>;
  acl:default <./>; acl:mode acl:Read, acl:Control.`,
    { contentType: 'text/turtle' },
  );
  const refused = await analyse(service, people, carol);
  expect(refused).toMatchObject({ status: completed.status, published: false });
  expect(refused['message']).toMatch(
    /did not reach your Pod: the document could not be written: .*HTTP 403/,
  );
  await analyser.client.request(rules, { method: 'DELETE' });
  expect(await analyse(service, people, carol)).toMatchObject(completed);
  await carol.close();
});

test('a service that is ready and idle leaves the storage server alone', async () => {
  expect(await service.client.status()).toMatchObject({ ready: true, active_runs: 0 });
  people.solid.proxy.forget();
  // Five times as long as a token lives.
  await pause(10_000);
  expect(people.solid.proxy.requests).toEqual([]);
});
