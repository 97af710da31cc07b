import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import {
  allowReading,
  createContributor,
  plantKey,
  record,
  weekly,
} from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { removeMemory } from '../support/memory-of.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';
import { type Attacker, createAttacker } from './attacker.js';

/**
 * Anybody can have files that get no answer, at home and on any other server that is allowed. If that
 * took others out of the cohort, or failed an analysis, averages would follow by subtraction.
 */
let home: ProxiedServer;
let elsewhere: ProxiedServer;
let analyser: InitialisedPod;
/** At home. */
let alice: InitialisedPod;
let mallory: InitialisedPod;
/** Elsewhere. */
let frank: InitialisedPod;
let gina: InitialisedPod;
let attacker: Attacker;
let client: HttpSolidClient;
let runs: TestRuns;
let inbox: Buffer;
const slow: Server[] = [];

const originOf = ({ baseUrl }: { baseUrl: string }) => new URL(baseUrl).origin;
const fileIn = (root: string, index: number) =>
  `${root}app/data/blood_pressure/bp_${index}.json.enc.ttl`;
/** Frank, Gina and Alice, each once. */
const everybody = (130 + 150 + 110) / 3;

beforeAll(async () => {
  [home, elsewhere] = await Promise.all([startProxiedServer(), startProxiedServer()]);
  for (let index = 0; index < 9; index += 1) slow.push(await startSilentServer());
  analyser = await createInitialisedPod(home);
  alice = await createContributor(home, analyser, weekly([110, 70, 50]));
  mallory = await createInitialisedPod(home);
  attacker = await createAttacker(mallory, analyser);
  frank = await createElsewhere(130);
  gina = await createElsewhere(150);
  inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;
  client = createSolidClient({
    serverUrl: home.baseUrl,
    allowedOrigins: allowedOrigins(),
    credentials: analyser.account,
  });
}, 300_000);
afterAll(async () => {
  await Promise.all([analyser, alice, mallory, frank, gina, client].map((one) => one.close()));
  for (const server of slow) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all([home.stop(), elsewhere.stop()]);
});
beforeEach(async () => {
  const data = { allowed_origins: allowedOrigins() };
  const sections = { output: { render_charts: false }, data };
  runs = await startTestRuns(home, analyser, sections, { client, timeoutSeconds: 60 });
});
afterEach(async () => {
  home.proxy.heal();
  elsewhere.proxy.heal();
  await runs.close();
  await removeMemory(analyser);
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox);
});

function allowedOrigins(): string[] {
  const addresses = slow.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  });
  return [originOf(elsewhere), ...addresses];
}

async function startSilentServer(): Promise<Server> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Somebody on the other server, whose entries somebody at home makes. */
async function createElsewhere(systolic: number): Promise<InitialisedPod> {
  const owner = await createInitialisedPod(elsewhere);
  const urls = await record(owner, weekly([systolic, 80, 60]));
  const keys = await findResourceKeys(owner.client, owner.pod, urls);
  for (const url of urls) {
    await allowReading(owner, analyser, url);
    await plantKey(mallory, analyser, url, keys.get(url));
  }
  return owner;
}

/** Pods whose every file answers 500, by their roots. */
function makeSilent(at: ProxiedServer, roots: readonly string[]): void {
  at.proxy.inject({
    when: ({ url }) => roots.some((root) => url.startsWith(root)),
    fault: { kind: 'answer', status: 500 },
  });
}

const plant = (roots: readonly string[], files: number) =>
  attacker.plant(
    roots.flatMap((root) =>
      Array.from({ length: files }, (_, index) => ({ url: fileIn(root, index) })),
    ),
  );

describe.each([
  ['Pods that the Analyser knows', true],
  ['Pods that are new', false],
])('%s count as without', (_, isKnown) => {
  async function expectSameCohort(attack: () => Promise<void> | void) {
    if (isKnown) await runs.ask(alice);
    await attack();
    const { document, report } = await runs.run({ caller: alice.pod.webId });
    expect(report).toMatchObject({ status: 'COMPLETED', published: true, pod_count: 3 });
    expect(document.cohort.average_of_averages.systolic).toBeCloseTo(everybody, 2);
    expect(document.cohort.carried_pod_count).toBeUndefined();
  }

  test('forty files beside them that give no answer', () =>
    expectSameCohort(async () => {
      const roots = [`${elsewhere.baseUrl}eve/`];
      makeSilent(elsewhere, roots);
      await plant(roots, 40);
    }));

  test('nine other servers that never answer', () =>
    expectSameCohort(async () => {
      const [, ...silent] = allowedOrigins();
      await plant(
        silent.map((origin) => `${origin}/eve/`),
        3,
      );
    }));

  // Two hundred are read in test/run/reading.full.test.ts.
  test('three accounts at home whose files give no answer', () =>
    expectSameCohort(async () => {
      const roots = [0, 1, 2].map((index) => `${home.baseUrl}eve-${index}/`);
      makeSilent(home, roots);
      await plant(roots, 20);
    }));
});

/** A listing of files that do not exist, for which an account need not even have room. */
function listMany(root: string): string {
  const folder = `${root}app/data/blood_pressure/`;
  const members = Array.from({ length: 40_000 }, (_, index) => `<${fileIn(root, index)}>`);
  const body = `<${folder}> <http://www.w3.org/ns/ldp#contains> ${members.join(', ')} .`;
  const headers = { 'content-type': 'text/turtle', 'wac-allow': 'user="read",public=""' };
  home.proxy.inject({
    when: ({ url }) => url === folder,
    fault: { kind: 'answer', status: 200, headers, body },
  });
  return folder;
}

test('an account that adds 40,000 files and takes one back costs nobody else their place', async () => {
  const heidi = await createContributor(home, analyser, weekly([170, 90, 70], [190, 90, 70]));
  const before = (await runs.run({ caller: alice.pod.webId })).document.cohort;
  expect(before).toMatchObject({ included_pod_count: 4 });
  const [first = ''] = heidi.urls;
  await revokeShares(heidi.client, heidi.pod, {
    urls: [first],
    recipientWebId: analyser.pod.webId,
  });
  await attacker.plant([{ url: listMany(heidi.pod.root) }]);
  const { document, report } = await runs.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  const counts = ({
    web_id,
    included_in_cohort,
  }: {
    web_id: string;
    included_in_cohort: boolean;
  }) => web_id !== heidi.pod.webId && included_in_cohort;
  expect(document.pods.filter(counts)).toHaveLength(3);
  // Nothing of hers counts from before: she is out, or counts with the file that is left.
  expect([everybody, (130 + 150 + 110 + 190) / 4].map((average) => average.toFixed(2))).toContain(
    document.cohort.average_of_averages.systolic?.toFixed(2),
  );
  await heidi.close();
}, 180_000);

/** One that lets nobody log in refuses everything, which ends no share. */
test('a server that accepts no login any more takes nobody back', async () => {
  await runs.ask(alice);
  for (const headers of [{}, { 'wac-allow': 'user="",public=""' }]) {
    elsewhere.proxy.inject({
      when: ({ method }) => method === 'GET',
      fault: { kind: 'answer', status: 403, headers },
    });
    const { document } = await runs.run({ caller: alice.pod.webId });
    expect(document.cohort).toMatchObject({ pod_count: 3, carried_pod_count: 2 });
    expect(document.cohort.average_of_averages.systolic).toBeCloseTo(everybody, 2);
    // The list says the same as the counts.
    const counting = document.pods.filter(({ included_in_cohort }) => included_in_cohort);
    expect(counting).toHaveLength(document.cohort.included_pod_count);
    expect(counting.filter(({ carried }) => carried?.from !== undefined)).toHaveLength(2);
    const readings = counting.map((pod) => (pod.carried ?? pod).observation_count);
    expect(readings.reduce((sum, count) => sum + count, 0)).toBe(document.cohort.observation_count);
    elsewhere.proxy.heal();
  }
  // One that accepts it, and refuses the only file of a Pod, has taken that back.
  elsewhere.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url.startsWith(frank.pod.documents.app),
    fault: { kind: 'answer', status: 403 },
  });
  const { document } = await runs.run({ caller: alice.pod.webId });
  expect(document.cohort).toMatchObject({ pod_count: 2, average_of_averages: { systolic: 130 } });
  // So has one that gives the profiles and no file of anybody.
  elsewhere.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url.includes('/app/data/'),
    fault: { kind: 'answer', status: 403 },
  });
  expect((await runs.run({ caller: alice.pod.webId })).document.cohort).toMatchObject({
    pod_count: 1,
    average_of_averages: { systolic: 110 },
  });
});

/** The profile of its owner is refused as well. */
test('nor does one that refuses everything of one Pod, whatever it gives of others', async () => {
  await runs.ask(alice);
  elsewhere.proxy.inject({
    when: (request) => request.method === 'GET' && request.url.startsWith(gina.pod.root),
    fault: { kind: 'answer', status: 403 },
  });
  const { document } = await runs.run({ caller: alice.pod.webId });
  expect(document.cohort).toMatchObject({ included_pod_count: 3, carried_pod_count: 1 });
});
