import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import type { Memory } from '../src/memory/memory.js';
import { openStoredMemory } from '../src/memory/stored-memory.js';
import { readSharedWithMe } from '../src/pod/sharing/read-shared-with-me.js';
import { shareResources } from '../src/pod/sharing/share.js';
import { changeMemory, memoryPlace } from '../src/run/remember/keep-memory.js';
import { openResultsStore } from '../src/store/results-store.js';
import { goldenFolder } from './golden/golden-world.js';
import { PlainClient } from './grpc/plain-client.js';
import { createCheckedClient } from './support/api-client.js';
import { analyserEnv } from './support/app-env.js';
import { type Contributor, createContributor, record, weekly } from './support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from './support/initialised-pod.js';
import { readHeld } from './support/open-with-key.js';
import { outputBelow } from './support/output-below.js';
import { copySources, packAs, packOperators } from './support/packages.js';
import { blockOf, lineOf } from './support/pages.js';
import {
  checkCohortAverage,
  checkPodAverage,
  checkResults,
  cohortAddress,
  ownResultAddress,
} from './support/published.js';
import { needsRegistry, registryEnv } from './support/registry.js';
import { sharedSolidServer } from './support/solid-server.js';
import { SystemdMachine } from './support/systemd-machine.js';

/** The steps of docs/operators.md, as they stand there. */
const page = 'docs/operators.md';
const average = { systolic: 125, diastolic: 82, heart_rate: 62 };
const cohort = { systolic: 125.67, diastolic: 81.33, heart_rate: 64 };

let folder: string;
let older: string;
let newer: string;
let analyser: InitialisedPod;
let ada: Contributor;
let machine: SystemdMachine;
let grpcPort: number;
let apiPort: number;
const opened: (() => Promise<unknown>)[] = [];
/** The keys that ada holds, by the address of the document. */
const held = new Map<string, Buffer>();
/** The runs that the HTTP API has served, by their identifier. */
const served = new Map<string, unknown>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-upgrade-'));
  opened.push(() => rm(folder, { recursive: true }));
  ({ older, newer } = await packOlderAndNewer());
  const server = sharedSolidServer();
  analyser = await createInitialisedPod(server);
  ada = await createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 64]));
  const ben = await createContributor(server, analyser, weekly([140, 90, 70]));
  const cleo = await createContributor(server, analyser, weekly([110, 70, 58], [114, 74, 62]));
  opened.push(...[analyser, ada, ben, cleo].map((one) => () => one.close()));
  machine = await SystemdMachine.create(join(folder, 'root'), analyserEnv(analyser));
  opened.push(() => machine.kill());
  [grpcPort, apiPort] = [await findFreePort(), await findFreePort()];
  const config = {
    analyser: { web_id: analyser.pod.webId },
    sharing: { cohort_release: { changed_pods: 2 } },
    output: outputBelow(join(machine.root, 'var/lib/bp-analyser')),
    grpc: { host: '127.0.0.1', port: grpcPort },
    api: { port: apiPort },
  };
  await writeFile(join(machine.root, 'etc/bp-analyser/config.yaml'), stringify(config));
}, 300_000);
afterAll(async () => {
  for (const close of opened.reverse()) await close();
});

/** As long as there is no next version, the newer one is this one under the next number. */
async function packOlderAndNewer() {
  const source = join(folder, 'source');
  await copySources(source);
  const packed = await packOperators(source);
  const first = join(goldenFolder('1.0'), 'bp-analyser-1.0.0.tgz');
  if (existsSync(first)) return { older: first, newer: packed };
  if (!basename(packed).startsWith('bp-analyser-1.0.')) {
    throw new Error(`Keep the package of the first version: ${first}.`);
  }
  return { older: packed, newer: await packAs('1.1.0', packed, join(folder, 'next')) };
}

const versionOf = (tarball: string) => /-(\d+\.\d+\.\d+)\.tgz$/.exec(tarball)?.[1];

async function upgradeTo(tarball: string): Promise<void> {
  const steps = await blockOf(page, 'sh', 'systemctl stop');
  await machine.follow(steps, { env: { package: tarball, ...registryEnv() } });
}

/** One more reading, which changes the memory and no figure; a call; and all that comes of it. */
async function askAs(tarball: string): Promise<void> {
  const count = 3 + served.size;
  const timestamp = `2026-03-0${count}T08:00:00`;
  const urls = await record(ada, [{ timestamp, ...average }]);
  await shareResources(ada.client, ada.pod, { urls, recipientWebId: analyser.pod.webId });

  const client = new PlainClient(grpcPort);
  const status = () => client.status().catch(() => ({ ready: false }));
  await expect.poll(status).toMatchObject({ ready: true });
  expect(await client.analyse(ada.pod.webId)).toMatchObject({
    status: 'ANALYSE_STATUS_COMPLETED',
    published: true,
  });
  client.close();
  const own = checkPodAverage(await readKept(ownResultAddress(analyser, ada)));
  expect(own).toMatchObject({ average });
  const ofAll = checkCohortAverage(await readKept(cohortAddress(analyser)));
  expect(ofAll).toMatchObject({ cohort: { average_of_averages: cohort } });

  const address = `http://127.0.0.1:${apiPort}`;
  const health = () =>
    fetch(`${address}/health`).then(
      (answer) => answer.json(),
      () => null,
    );
  await expect.poll(health).toMatchObject({ status: 'ok', version: versionOf(tarball) });
  const api = await createCheckedClient(address);
  const latest = checkResults((await api.get('/api/summary')).json());
  expect(latest).toMatchObject({
    sharing: { cohort_release: { average_of_averages: cohort, withheld: null } },
    warnings: [],
  });
  const ofAda = latest.pods.find(({ web_id }) => web_id === ada.pod.webId);
  expect(ofAda?.observation_count).toBe(count);
  served.set(latest.run_id, latest);
  for (const [id, run] of served) expect((await api.get(`/api/runs/${id}`)).json()).toEqual(run);
  expect((await api.get('/api/runs')).json()).toEqual({ runs: [...served.keys()].reverse() });
}

/** With the key that ada has held since her first result, which is still the one that she is sent. */
async function readKept(url: string): Promise<unknown> {
  const { text, key } = await readHeld(ada, url, held.get(url));
  expect((await readSharedWithMe(ada.client, ada.pod, url)).key).toEqual(key);
  held.set(url, key);
  return JSON.parse(text);
}

/** Of the stopped service. */
async function withMemory<T>(
  use: (place: ReturnType<typeof memoryPlace>) => Promise<T>,
): Promise<T> {
  const output = outputBelow(join(machine.root, 'var/lib/bp-analyser'));
  const memory = openStoredMemory(analyser.client, analyser.pod);
  const place = memoryPlace(
    { memory, pod: analyser.pod },
    output,
    openResultsStore(output.results_dir),
  );
  return await use(place).finally(() => memory.dispose());
}

const found = () => withMemory((place) => place.read());

/** What a newer version remembers besides. */
const later: Memory['later'] = { added: { by: ['a newer version'] } };

test('a newer version goes on where the older one stopped, and the older one after it', async ({
  skip,
}) => {
  const install = await lineOf(page, 'npm install --prefix /opt/bp-analyser ');
  const env = { package: older, ...registryEnv() };
  await needsRegistry(machine.follow(install, { env }), skip);
  const cwd = join(machine.root, 'opt/bp-analyser/node_modules/bp-analyser');
  await machine.follow(await blockOf(page, 'sh', 'systemctl enable --now'), { cwd });
  await askAs(older);

  await upgradeTo(newer);
  await askAs(newer);
  await machine.follow('sudo systemctl stop bp-analyser');
  await withMemory((place) => changeMemory(place, ({ memory }) => ({ ...memory, later })));
  const { version } = await found();

  await upgradeTo(older);
  await askAs(older);
  await machine.follow('sudo systemctl stop bp-analyser bp-analyser-api');
  const after = await found();
  expect(after.version).toBeGreaterThan(version);
  expect(after.memory).toMatchObject({ later, withheld: null });
  // Three times the service and the HTTP API.
  expect(machine.logs).toHaveLength(6);
  expect(machine.logs.join('')).not.toMatch(/withheld|damaged|"level":[45]0/);
}, 300_000);
