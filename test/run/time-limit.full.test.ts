import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PodRecord } from '../../src/documents/results-document.js';
import { createContributor, weekly } from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryOf, removeMemory } from '../support/memory-of.js';
import { TestControl } from '../support/test-control.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * More slow files than there is time for: no part of anybody is called COMPLETED, and nobody fails others.
 * Each file of one Pod takes three seconds, and the client asks for a few at once.
 */

/** Seconds. */
const HURRY = 10;
let runs: TestRuns;
const many = Array.from({ length: 60 }, (_, n): [number, number, number] => [100 + n, 80, 60]);

const server = await startProxiedServer();
const analyser = await createInitialisedPod(server);
/** `large` has more files than can be read in HURRY. */
const [large, small] = await Promise.all([
  createContributor(server, analyser, weekly(...many)),
  createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 62])),
]);

beforeEach(async () => {
  runs = await startTestRuns(server, analyser, noCharts, { timeoutSeconds: HURRY });
});
afterEach(async () => {
  server.proxy.heal();
  await removeMemory(analyser);
});

const slowDown = (owner: InitialisedPod, ms: number) =>
  server.proxy.inject({
    when: ({ url, method }) =>
      method === 'GET' && url.startsWith(owner.pod.root) && url.includes('/bp_'),
    fault: { kind: 'delay', ms },
  });
const shownIn = (pods: readonly PodRecord[], { pod }: InitialisedPod) =>
  pods.find(({ web_id }) => web_id === pod.webId);

test('[5.3][8.1] a caller for whose files there is no time has FAILED, with how many were read, and gets no figures', async () => {
  slowDown(large, 3_000);
  const control = new TestControl();
  await expect(runs.ask(large, control)).rejects.toThrow();
  expect(control.report).toMatchObject({ status: 'FAILED', published: false, result_url: '' });
  expect(control.report?.message).toMatch(
    /took too long: it asked for \d+ of 60 of your files in \d+ seconds.*grpc\.analysis_timeout_seconds/,
  );
  const { memory } = await memoryOf(runs);
  expect(memory.pods.get(large.pod.root)?.sums).toBeNull();
});

test('[4.16] the time that a login took before is over as well', async () => {
  const control = new TestControl();
  const startedAt = performance.now() - HURRY * 1000;
  await expect(runs.run({ caller: small.pod.webId, startedAt }, control)).rejects.toThrow();
  expect(control.report?.message).toContain('took too long: it asked for 0 of 2 of your files');
});

test('[5.3] a Pod that is read in part again and again counts in nothing, and then whole; who calls beside it has a result', async () => {
  slowDown(large, 3_000);
  for (let time = 0; time < 2; time += 1) {
    await expect(runs.ask(large)).rejects.toThrow();
    const { report, document } = await runs.run({ caller: small.pod.webId });
    expect(report).toMatchObject({ status: 'COMPLETED', files_read: 2, files_skipped: 0 });
    expect(report.message).toContain('Not all of the 2 Pods could be read in full');
    expect(document.cohort).toMatchObject({ included_pod_count: 1, observation_count: 2 });
    expect(shownIn(document.pods, large)).toMatchObject({ included_in_cohort: false });
  }
  server.proxy.heal();
  const { document } = await runs.run({ caller: small.pod.webId });
  expect(document.cohort).toMatchObject({ included_pod_count: 2, observation_count: 62 });
  // The first and the last of 100 to 159.
  expect(shownIn(document.pods, large)?.measures.systolic.average).toBe(129.5);
});
