import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import {
  allowReading,
  createContributor,
  plantKey,
  record,
  weekly,
} from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { removeMemory } from '../support/memory-of.js';
import { openClient } from '../support/open-client.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

/**
 * Anybody can have files that get no answer, at home and on any other server that is allowed. If that
 * took others out of the cohort, or failed an analysis, averages would follow by subtraction.
 */
const home = sharedSolidServer();
let runs: TestRuns;

const originOf = ({ baseUrl }: { baseUrl: string }) => new URL(baseUrl).origin;
const fileIn = (root: string, index: number) =>
  `${root}app/data/blood_pressure/bp_${index}.json.enc.ttl`;
/** Frank, Gina and Alice, each once. */
const everybody = (130 + 150 + 110) / 3;

const elsewhere = await startProxiedServer();
/** Of nine servers that never answer. */
const silent = await Promise.all(
  Array.from({ length: 9 }, () => serveUntilEnd(createServer(() => undefined))),
);
const allowedOrigins = [originOf(elsewhere), ...silent];
const analyser = await createInitialisedPod(home);
/** At home. */
const alice = await createContributor(home, analyser, weekly([110, 70, 50]));
const mallory = await createInitialisedPod(home);
const attacker = await createAttacker(mallory, analyser);
// Frank and Gina.
for (const systolic of [130, 150]) await createElsewhere(systolic);
const client = openClient({
  serverUrl: home.baseUrl,
  allowedOrigins,
  credentials: analyser.account,
});

beforeEach(async () => {
  const data = { allowed_origins: allowedOrigins };
  const sections = { output: { render_charts: false }, data };
  runs = await startTestRuns(home, analyser, sections, { client, timeoutSeconds: 60 });
});
afterEach(async () => {
  elsewhere.proxy.heal();
  await removeMemory(analyser);
});

/** Somebody on the other server, whose entries somebody at home makes. */
async function createElsewhere(systolic: number): Promise<void> {
  const owner = await createInitialisedPod(elsewhere);
  const urls = await record(owner, weekly([systolic, 80, 60]));
  const keys = await findResourceKeys(owner.client, owner.pod, urls);
  for (const url of urls) {
    await allowReading(owner, analyser, url);
    await plantKey(mallory, analyser, url, keys.get(url));
  }
}

const plant = (root: string, files: number) =>
  attacker.plant(Array.from({ length: files }, (_, index) => ({ url: fileIn(root, index) })));

/** One that lets nobody log in refuses everything, which ends no share. */
test('[4.4][5.1] a server that accepts no login any more takes nobody back', async () => {
  await runs.ask(alice);
  elsewhere.proxy.inject({
    when: ({ method }) => method === 'GET',
    fault: { kind: 'answer', status: 403 },
  });
  const carried = (await runs.run({ caller: alice.pod.webId })).document;
  expect(carried.cohort).toMatchObject({ pod_count: 3, carried_pod_count: 2 });
  expect(carried.cohort.average_of_averages.systolic).toBeCloseTo(everybody, 2);
  // The list says the same as the counts.
  const counting = carried.pods.filter(({ included_in_cohort }) => included_in_cohort);
  expect(counting).toHaveLength(carried.cohort.included_pod_count);
  const readings = counting.map((pod) => (pod.carried ?? pod).observation_count);
  expect(readings.reduce((sum, count) => sum + count, 0)).toBe(carried.cohort.observation_count);
  elsewhere.proxy.heal();
  // One that gives the profiles and no file of anybody has taken them back.
  elsewhere.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url.includes('/app/data/'),
    fault: { kind: 'answer', status: 403 },
  });
  expect((await runs.run({ caller: alice.pod.webId })).document.cohort).toMatchObject({
    pod_count: 1,
    average_of_averages: { systolic: 110 },
  });
});

test('[5.5] forty files that give no answer, and nine other servers that never do, cost nobody else their place', async () => {
  await runs.ask(alice);
  const eve = `${elsewhere.baseUrl}eve/`;
  elsewhere.proxy.inject({
    when: ({ url }) => url.startsWith(eve),
    fault: { kind: 'answer', status: 500 },
  });
  await plant(eve, 40);
  for (const origin of silent) await plant(`${origin}/eve/`, 3);
  const { document, report } = await runs.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true, pod_count: 3 });
  expect(document.cohort.average_of_averages.systolic).toBeCloseTo(everybody, 2);
  expect(document.cohort.carried_pod_count).toBeUndefined();
});
