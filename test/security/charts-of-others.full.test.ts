import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { podIdOfRoot } from '../../src/pod/pod-id.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { createContributor, readingsFolder, shareFolder, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { startTestRuns, type TestRuns, withTestRuns } from '../support/test-runs.js';

/**
 * The chart of somebody who still shares stays, whatever becomes of a single call: a server that has
 * a bad moment, a slip of the operator, a stranger who removes entries.
 */
let server: ProxiedServer;
let analyser: InitialisedPod;
/** Shares her folder. */
let alice: InitialisedPod;
let bob: InitialisedPod;
let mallory: InitialisedPod;
let runs: TestRuns;
let inbox: Buffer;

beforeAll(async () => {
  server = await startProxiedServer();
  analyser = await createInitialisedPod(server);
  alice = await createInitialisedPod(server);
  await shareFolder(alice, analyser, weekly([140, 90, 70], [150, 94, 74]));
  bob = await createContributor(server, analyser, weekly([110, 70, 50]));
  mallory = await createInitialisedPod(server);
  inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;
});
afterAll(async () => {
  await Promise.all([analyser, alice, bob, mallory].map((one) => one.close()));
  await server.stop();
});
beforeEach(async () => {
  runs = await startTestRuns(server, analyser);
  await runs.ask(alice);
});
afterEach(async () => {
  server.proxy.heal();
  await runs.close();
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox);
});

const hasChart = async () =>
  (await readdir(runs.config.output.charts_dir)).includes(`${podIdOfRoot(alice.pod.root)}.png`);
const cohortOf = ({ cohort }: ResultsDocument) => cohort.average_of_averages.systolic;

test('a listing that fails while somebody else calls', async () => {
  server.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url === readingsFolder(alice),
    fault: { kind: 'answer', status: 500 },
  });
  const { document } = await runs.run({ caller: bob.pod.webId });
  expect(await hasChart()).toBe(true);
  // Nor does it tell what her average is.
  expect(document.cohort).toMatchObject({ pod_count: 2, carried_pod_count: 1 });
  expect(cohortOf(document)).toBe((145 + 110) / 2);
  server.proxy.heal();
  expect(cohortOf((await runs.run({ caller: bob.pod.webId })).document)).toBe((145 + 110) / 2);
});

test.each<[string, Partial<TestRuns['config']['data']>]>([
  ['data.path_fragments', { path_fragments: ['/data/blod_pressure/'] }],
  ['data.excluded_pods', { excluded_pods: ['http://localhost/'] }],
])('a slip in %s for one call', async (_, data) => {
  const [{ origin }] = [new URL(alice.pod.root)];
  const excluded = data.excluded_pods === undefined ? {} : { excluded_pods: [`${origin}/`] };
  const slip = { data: { ...data, ...excluded }, output: runs.config.output };
  await withTestRuns(server, analyser, slip, async (slipped) => {
    expect(await slipped.ask(bob)).toMatchObject({ status: 'NO_DATA', pod_count: 0 });
  });
  expect(await hasChart()).toBe(true);
  expect(cohortOf((await runs.run({ caller: bob.pod.webId })).document)).toBe((145 + 110) / 2);
});
