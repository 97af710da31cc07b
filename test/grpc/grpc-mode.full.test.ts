import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/base/parse-json.js';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { readServiceState } from '../../src/store/state.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { openClient } from '../support/open-client.js';
import { sampleResults } from '../support/results-sample.js';
import { createPod, sharedSolidServer, type TestPod } from '../support/solid-server.js';
import { folderForEach } from '../support/temp-folder.js';
import { startService } from './child-service.js';
import { analyserWebId } from './scripted-analyses.js';
import { serve } from './serve.js';

const securityKey = 'the key of the Analyser';

const folder = folderForEach();

const configure = (account: TestPod, port = 0) =>
  writeConfigFile(folder(), { account, securityKey }, { grpc: { host: '127.0.0.1', port } });

test('serves a Pod that is initialised only later, from the first Status to the last signal', async () => {
  const server = sharedSolidServer();
  const account = await createPod(server);
  await configure(account);
  await using service = await startService(folder());
  const { client } = service;
  expect(await client.status()).toMatchObject({ ready: false, analyser_web_id: account.webId });
  await expect.poll(async () => (await client.status())['message']).toMatch(/enc-keys\.ttl/);

  const pods = openClient({ serverUrl: server.baseUrl, credentials: account });
  const lock = { webId: account.webId, appDir: 'app', securityKey };
  const pod = await initialisePod(pods, lock);
  await expect.poll(async () => (await client.status())['ready'], { timeout: 35_000 }).toBe(true);

  const analyser = { account, client: pods, pod, securityKey, close: () => pods.close() };
  const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
  const { run_id, ...reply } = await client.analyse(alice.pod.webId);
  expect(reply).toMatchObject({
    status: 'ANALYSE_STATUS_COMPLETED',
    published: true,
    files_read: 2,
    pod_count: 1,
  });
  expect(await client.status()).toMatchObject({ active_runs: 0, last_run_id: run_id });

  const state = join(folder(), 'var/state');
  // A caller is answered before the turn has ended.
  await expect
    .poll(() => readServiceState(state))
    .toMatchObject({ analyser: { state: 'alive' }, running: null, interrupted: null });
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
  expect(await readServiceState(state)).toMatchObject({ analyser: { state: 'stopped' } });
  const locks = readdirSync(state).filter((name) => name.includes('lock'));
  expect(locks.map((name) => readFileSync(join(state, name), 'utf8'))).toEqual(['', '']);
});

test('Status tells of the last run before the start', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  await writeConfigFile(folder(), analyser, { grpc: { host: '127.0.0.1', port: 0 } });
  const run_id = '20260819T091500Z';
  await openResultsStore(join(folder(), 'var/results')).write(sampleResults(run_id, []));
  await using service = await startService(folder());
  expect((await service.client.status())['last_run_id']).toBe(run_id);
});

test('what keeps it from starting is the last line of its log, before anything is called ready', async () => {
  await using taken = await serve();
  const { port } = taken.server;
  const account = await createPod(sharedSolidServer());
  const start = async (owner: TestPod) => {
    await configure(owner, port);
    // It would belong to the first.
    await rm(join(folder(), 'var'), { recursive: true, force: true });
    const { code, err } = await waitForEnd(startCommand(['grpc'], { cwd: folder() }));
    const lines = err.trim().split('\n').map(parseJson);
    expect(err).not.toContain('ready');
    return { code, isJson: !lines.includes(undefined), last: lines.at(-1) };
  };
  const ended = (code: number, message: string) => ({
    code,
    isJson: true,
    last: expect.objectContaining({ level: 50, err: expect.objectContaining({ message }) }),
  });
  expect(await start(account)).toEqual(
    ended(
      1,
      `The port 127.0.0.1:${port} (grpc.host, grpc.port) is in use by another program; stop that or choose another grpc.port. The service of ${analyserWebId} answers there.`,
    ),
  );
  expect(await start({ ...account, webId: analyserWebId })).toEqual(
    ended(
      1,
      `Another service answers the calls at 127.0.0.1:${port}. Stop it first: there is one for each Analyser, and workers make it faster.`,
    ),
  );
  expect(await start({ ...account, clientId: '' })).toMatchObject({ code: 2, isJson: true });
});

test('[T40] whoever has the port is given no token in the clear', async () => {
  const token = 'a-token-of-callers';
  await using taken = await serve({ token });
  await configure(await createPod(sharedSolidServer()), taken.server.port);
  const env = { APP_ANALYSER_GRPC_TOKEN: token };
  const { err } = await waitForEnd(startCommand(['grpc'], { cwd: folder(), env }));
  expect(err).toContain('is in use by another program');
  expect(err).not.toContain('The service of');
});
