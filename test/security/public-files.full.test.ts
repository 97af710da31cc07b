import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  aclAddress,
  agentRule,
  everyoneRule,
  ownerRule,
  writeAcl,
} from '../../src/pod/documents/access-control-list.js';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { type Contributor, createContributor, plantKey, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/** Files that everybody may fetch: their rules of access never show that a share was taken back. */
const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: Contributor;
let bob: Contributor;
let mallory: InitialisedPod;
let runs: TestRuns;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([140, 90, 70], [150, 94, 74])),
    createContributor(server, analyser, weekly([110, 70, 50])),
    createInitialisedPod(server),
  ]);
  for (const url of alice.urls) {
    const rules = [
      ownerRule(url, alice.pod.webId),
      agentRule(url, analyser.pod.webId, ['read']),
      everyoneRule(url, ['read']),
    ];
    await putDocument(alice.client, aclAddress(url), writeAcl(url, rules));
  }
  runs = await startTestRuns(server, analyser);
  expect(await runs.ask(alice)).toMatchObject({ files_read: 2, pod_count: 2 });
});
afterEach(async () => {
  await runs.close();
  await Promise.all([analyser, alice, bob, mallory].map((one) => one.close()));
});

const run = async () => (await runs.run({ caller: bob.pod.webId })).document;
const inboxOf = () => analyser.pod.documents.sharedKeys;

test('a share of such files that is taken back as the app does it counts no longer', async () => {
  const sharing = { urls: alice.urls, recipientWebId: analyser.pod.webId };
  await revokeShares(alice.client, alice.pod, sharing);
  expect((await fetch(alice.urls[0] ?? '')).status).toBe(200);
  const { pods, cohort, warnings } = await run();
  expect(pods.map(({ web_id }) => web_id)).toEqual([bob.pod.webId]);
  expect(cohort).toMatchObject({ pod_count: 1, average_of_averages: { systolic: 110 } });
  expect(warnings.join()).not.toContain(alice.pod.root);
  // Her last share has ended, and her chart goes with it.
  expect(await readdir(runs.config.output.charts_dir)).toHaveLength(1);
  // It is over, and not only set aside.
  expect((await run()).cohort.pod_count).toBe(1);
});

test('while an entry names them they count, and so they do while the inbox cannot be read', async () => {
  expect((await run()).cohort.pod_count).toBe(2);
  await putDocument(mallory.client, inboxOf(), '<a> <b> """ never');
  const { cohort, warnings } = await run();
  expect(cohort).toMatchObject({ pod_count: 2, average_of_averages: { systolic: 127.5 } });
  expect(warnings.join()).toContain('The inbox could not be read');
});

test('files that nobody was given a key for count for nobody', async () => {
  const carol = await createContributor(server, mallory, weekly([200, 120, 90]));
  const [url = ''] = carol.urls;
  const rules = [ownerRule(url, carol.pod.webId), everyoneRule(url, ['read'])];
  await putDocument(carol.client, aclAddress(url), writeAcl(url, rules));
  await plantKey(mallory, analyser, url);
  expect((await run()).cohort).toMatchObject({
    pod_count: 2,
    average_of_averages: { systolic: 127.5 },
  });
  await carol.close();
});
