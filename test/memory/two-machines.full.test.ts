import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('whoever writes outside of the lock keeps figures of the cohort back, and own results go out', async () => {
  await other.ask(bob);
  const carol = await createContributor(server, analyser, weekly([170, 99, 80]));
  // Two versions within a second have one ETag on this server.
  beforeWrite = once(async () => {
    await setTimeout(1100);
    await operate(other, analyser, 'forget', '--all', '--yes');
  });
  const { document, report } = await one.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect(report.message).toContain('No figures of the cohort are sent this time');
  const { cohort, average } = await collectOwn(analyser, alice);
  expect([average.systolic, cohort.average_of_averages.systolic]).toEqual([125, null]);
  expect(document.warnings.join('\n')).toMatch(/somebody outside of this service has changed/);
  await one.ask(alice);
  const after = await collectOwn(analyser, alice);
  expect(after.cohort.average_of_averages.systolic).toBe((125 + 110 + 170) / 3);
  expect((await memoryOf(one)).memory.pods.size).toBe(3);
  await carol.close();
});
