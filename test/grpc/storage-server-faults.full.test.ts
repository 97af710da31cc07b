import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startAnalyserService } from '../support/analyser-service.js';
import { createContributor, weekly } from '../support/contributor.js';
import { type Fault, type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';

const completed = { status: 'ANALYSE_STATUS_COMPLETED', published: true };

const solid = await startProxiedServer({ tokenLifetimeSeconds: 2, bookkeeping: 'files' });
const analyser = await createInitialisedPod(solid);
const alice = await createContributor(solid, analyser, weekly([120, 80, 60], [130, 84, 66]));
const bob = await createContributor(solid, analyser, weekly([110, 70, 55]));
// A pause that never ends: what gets the service ready again is a call, or nothing.
const pauses = { firstMs: 600_000, longestMs: 600_000 };
const service = await startAnalyserService(solid, analyser, { pauses });

afterEach(() => solid.proxy.heal());

/** For Alice, whose reply is held against what no reply may say. */
async function analyse(): Promise<Record<string, unknown>> {
  const reply = await service.client.analyse(alice.pod.webId);
  expect(JSON.stringify(reply)).not.toContain(bob.pod.root);
  return reply;
}

const isRead = (of: readonly string[]) => (request: ProxiedRequest) =>
  request.method === 'GET' && of.includes(request.url);

test('a storage server that goes away in the middle fails the call; when it is back, the next one succeeds', async () => {
  const { proxy, server } = solid;
  const fault = { kind: 'delay', ms: 100 } as const;
  const reading = proxy.inject({ when: isRead(bob.urls), times: 1, fault });
  const call = analyse();
  await reading.hit();
  await server.pause();
  expect(await call).toMatchObject({
    status: 'ANALYSE_STATUS_FAILED',
    message: 'The storage server could not be reached. Try again later.',
  });
  await server.resume();
  expect(await analyse()).toMatchObject(completed);
  expect(await service.client.status()).toMatchObject({ ready: true, active_runs: 0 });
}, 180_000);

test('credentials that are revoked fail the call; once they are back, the next one logs in afresh', async () => {
  const accounts = join(solid.server.rootDir, '.internal/accounts');
  const backup = join(service.folder, 'accounts');
  await cp(accounts, backup, { recursive: true });
  await rm(accounts, { recursive: true });

  // The token at hand is good until it has to be renewed.
  const isFailed = { status: 'ANALYSE_STATUS_FAILED' };
  await expect.poll(analyse, { timeout: 30_000 }).toMatchObject(isFailed);
  expect(await service.client.status()).toMatchObject({
    ready: false,
    message: expect.stringMatching(/login failed: HTTP 401/),
  });
  expect((await analyse())['message']).toMatch(/credentials have expired or were revoked/);

  await cp(backup, accounts, { recursive: true });
  expect(await analyse()).toMatchObject(completed);
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
  const when = isRead([analyser.pod.documents.encKeys]);
  solid.proxy.inject({ when, fault });
  const failed = { status: 'ANALYSE_STATUS_FAILED' };
  expect(await analyse()).toMatchObject(failed);
  const told = { ready: false, message: expect.stringMatching(reason) };
  expect(await service.client.status()).toMatchObject(told);
  solid.proxy.heal();
  expect(await analyse()).toMatchObject(completed);
  expect(await service.client.status()).toMatchObject({ ready: true, message: '' });
});

test('a service that is ready and idle leaves the storage server alone', async () => {
  expect(await service.client.status()).toMatchObject({ ready: true, active_runs: 0 });
  solid.proxy.forget();
  // Five times as long as a token lives.
  await pause(10_000);
  expect(solid.proxy.requests).toEqual([]);
});
