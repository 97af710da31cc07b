import { afterEach, beforeEach, expect, test } from 'vitest';
import { revokeShares } from '../../src/pod/sharing/share.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, memoryOf } from '../support/memory-of.js';
import { operate } from '../support/operator.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/** Two machines with a var/ each that share one Analyser Pod, and nothing else. */
const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: Contributor;
let bob: Contributor;
let one: TestRuns;
let other: TestRuns;
/** What happens on the other machine before this one's next write of the memory. */
let beforeWrite: (() => Promise<unknown>) | null;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
  bob = await createContributor(server, analyser, weekly([110, 70, 50]));
  beforeWrite = null;
  const client: SolidClient = {
    async request(url, options) {
      const isWrite = options?.method === 'PUT' && url === memoryAddress(analyser);
      if (isWrite) await beforeWrite?.();
      return await analyser.client.request(url, options);
    },
    close: () => Promise.resolve(),
  };
  const output = { render_charts: false };
  one = await startTestRuns(server, analyser, { output }, { client });
  other = await startTestRuns(server, analyser, { output });
});
afterEach(async () => {
  await Promise.all([one, other].map((runs) => runs.close()));
  await Promise.all([analyser, alice, bob].map((pod) => pod.close()));
});

const once = (happens: () => Promise<unknown>) => async () => {
  beforeWrite = null;
  await happens();
};
const knownOf = async (owner: InitialisedPod) =>
  [...((await memoryOf(other)).memory.pods.get(owner.pod.root)?.shares.keys() ?? [])].sort();
const ofAliceAndBob = (125 + 110) / 2;

test('both read at the same time, and what either read is remembered', async () => {
  beforeWrite = once(() => other.ask(bob));
  const { document, report } = await one.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true, pod_count: 2 });
  expect(document.cohort.average_of_averages.systolic).toBe(ofAliceAndBob);
  expect(await knownOf(alice)).toEqual([...alice.urls].sort());
  expect(await knownOf(bob)).toEqual(bob.urls);
});

test('what is forgotten during an analysis of another machine stays forgotten', async () => {
  await one.ask(alice);
  const carol = await createContributor(server, analyser, weekly([170, 99, 80]));
  beforeWrite = once(() => operate(other, analyser, 'forget', alice.pod.webId));
  expect(await one.ask(bob)).toMatchObject({ status: 'COMPLETED', published: true });
  expect(await knownOf(alice)).toEqual([]);
  expect(await knownOf(carol)).toEqual(carol.urls);
  // What is still shared is new to the next analysis.
  await other.ask(bob);
  expect(await knownOf(alice)).toEqual([...alice.urls].sort());
  await carol.close();
});

test('what was taken back during an analysis of another machine stays so', async () => {
  await one.ask(alice);
  const carol = await createContributor(server, analyser, weekly([170, 99, 80]));
  const [url = '', kept] = alice.urls;
  beforeWrite = once(async () => {
    const sharing = { urls: [url], recipientWebId: analyser.pod.webId };
    await revokeShares(alice.client, alice.pod, sharing);
    await other.ask(bob);
  });
  const { document } = await one.run({ caller: bob.pod.webId });
  expect(await knownOf(alice)).toEqual([kept]);
  // The other machine has read her without it, and so she counts here as well.
  expect(document.cohort.average_of_averages.systolic).toBe((130 + 110 + 170) / 3);
  await carol.close();
});

test('after three conflicts own results go out, and no figure of the cohort', async () => {
  let times = 0;
  beforeWrite = async () => {
    times += 1;
    // Whatever changes: here a Pod that somebody makes the Analyser forget, again and again.
    await operate(other, analyser, 'forget', '--all');
  };
  const { document, report } = await one.run({ caller: alice.pod.webId });
  expect(times).toBe(3);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  const { cohort, average } = await collectOwn(analyser, alice);
  expect([average.systolic, cohort.average_of_averages.systolic]).toEqual([125, null]);
  expect(document.warnings.join('\n')).toMatch(/memory\.txt was changed by other processes/);
  beforeWrite = null;
  await one.ask(alice);
  const after = await collectOwn(analyser, alice);
  expect(after.cohort.average_of_averages.systolic).toBe(ofAliceAndBob);
});
