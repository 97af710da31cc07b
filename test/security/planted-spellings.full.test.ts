import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { announce, sealedKeyOf } from '../support/copied-share.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectCohort, collectOwn, ownResultAddress } from '../support/published.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * One address can be spelled in many ways, and anybody can call and plant entries in any of them, with
 * the owner's own sealed key. The owner reads every result as if nobody had.
 */
const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: Contributor;
let bob: Contributor;
let mallory: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]), {
    name: uniquePodName('alice'),
  });
  bob = await createContributor(server, analyser, weekly([110, 70, 50]));
  mallory = await createInitialisedPod(server);
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, alice, bob, mallory].map((one) => one.close()));
});

/** `…/alice-1/…` with letters of the name written as their codes. */
const respellings = [/\/a(?=lice)/, /l(?=ice)/, /i(?=ce)/].map(
  (letter) => (address: string) =>
    address.replace(letter, (found) =>
      found.replace(/[a-z]/, (one) => `%${one.charCodeAt(0).toString(16)}`),
    ),
);

async function plantSpellings(): Promise<void> {
  for (const url of alice.urls) {
    const sealedKey = await sealedKeyOf(mallory, analyser, url);
    for (const respell of respellings) {
      await announce(mallory, analyser, { url: respell(url), sealedKey });
    }
  }
}

async function callInOtherSpellings(): Promise<void> {
  for (const respell of respellings) {
    const { document } = await runs.run({ caller: respell(alice.pod.webId) });
    expect(document.pods.filter(({ pod_root }) => pod_root === alice.pod.root)).toHaveLength(1);
  }
}

async function expectNewResult(after: string | null, call: () => Promise<unknown>) {
  await call();
  const own = await collectOwn(analyser, alice);
  expect(own.generated_at > (after ?? '')).toBe(true);
  expect(own.average.systolic).toBe(125);
  const cohort = await collectCohort(analyser, alice);
  expect(cohort.cohort.pod_count).toBe(2);
  return own.generated_at;
}

async function callAsOwner(): Promise<void> {
  expect(await runs.ask(alice)).toMatchObject({
    status: 'COMPLETED',
    published: true,
    result_url: ownResultAddress(analyser, alice),
    files_read: 2,
  });
}

test('calls and entries in other spellings, with the sealed key of the owner', async () => {
  let last = await expectNewResult(null, callAsOwner);
  await plantSpellings();
  await callInOtherSpellings();
  // What a stranger asked for is written for its owner alone, who reads that as well.
  await expectNewResult(null, () => Promise.resolve());
  last = await expectNewResult(last, () => runs.run({ caller: null }));
  last = await expectNewResult(last, callAsOwner);
  await callInOtherSpellings();
  await expectNewResult(last, () => runs.run({ caller: null }));
  const readers = await mallory.client.request(ownResultAddress(analyser, alice));
  expect(readers.status).toBe(403);
});

test('planted before the owner’s first analysis, they name nobody else’s result', async () => {
  const first = await createInitialisedPod(server);
  const owner = await createContributor(server, first, weekly([140, 90, 70]), {
    name: uniquePodName('alice'),
  });
  const [url = ''] = owner.urls;
  const sealedKey = await sealedKeyOf(mallory, first, url);
  for (const respell of respellings) {
    await announce(mallory, first, { url: respell(url), sealedKey });
  }
  const own = await startTestRuns(server, first, { output: { render_charts: false } });
  for (const respell of respellings) await own.run({ caller: respell(owner.pod.webId) });
  await own.run({ caller: null });
  expect((await collectOwn(first, owner)).average.systolic).toBe(140);
  expect(await own.ask(owner)).toMatchObject({
    published: true,
    result_url: ownResultAddress(first, owner),
  });
  await own.close();
  await Promise.all([first, owner].map((one) => one.close()));
});

test('a share that is taken back is taken back in every spelling', async () => {
  await plantSpellings();
  const sharing = { urls: alice.urls, recipientWebId: analyser.pod.webId };
  await revokeShares(alice.client, alice.pod, sharing);
  const { document } = await runs.run({ caller: null });
  expect(document.pods.map(({ pod_root }) => pod_root)).toEqual([bob.pod.root]);
});
