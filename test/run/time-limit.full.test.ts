import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { createAttacker } from '../security/attacker.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryOf } from '../support/memory-of.js';
import { TestControl } from '../support/test-control.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * More slow files than there is time for: no part of anybody is called COMPLETED, and nobody fails others.
 * Each file of one Pod takes six seconds, and the client asks for a few at once.
 */
let server: ProxiedServer;
let analyser: InitialisedPod;
/** Has more files than can be read in HURRY. */
let large: Contributor;
let small: Contributor;
/** Seconds. */
const HURRY = 20;
const noCharts = { output: { render_charts: false } };
const opened: { close(): Promise<unknown> }[] = [];
const many = Array.from({ length: 150 }, (_, n): [number, number, number] => [
  100 + (n % 50),
  80,
  60,
]);

beforeAll(async () => {
  server = await startProxiedServer();
  analyser = await createInitialisedPod(server);
  [large, small] = await Promise.all([
    createContributor(server, analyser, weekly(...many)),
    createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 62])),
  ]);
}, 300_000);
afterEach(async () => {
  server.proxy.heal();
  for (const one of opened.splice(0)) await one.close();
  await analyser.client.request(`${analyser.pod.documents.app}analyser/memory.txt`, {
    method: 'DELETE',
  });
});
afterAll(async () => {
  await Promise.all([analyser, large, small].map((one) => one.close()));
  await server.stop();
});

async function start(timeoutSeconds: number): Promise<TestRuns> {
  const runs = await startTestRuns(server, analyser, noCharts, { timeoutSeconds });
  opened.push(runs);
  return runs;
}

const slowDown = (owner: InitialisedPod, ms: number) =>
  server.proxy.inject({
    when: ({ url, method }) =>
      method === 'GET' && url.startsWith(owner.pod.root) && url.includes('/bp_'),
    fault: { kind: 'delay', ms },
  });
const shownIn = (pods: readonly { web_id: string }[], { pod }: InitialisedPod) =>
  pods.find(({ web_id }) => web_id === pod.webId);

test('a caller for whose files there is no time has FAILED, with how many were read, and gets no figures', async () => {
  const runs = await start(HURRY);
  slowDown(large, 6_000);
  const control = new TestControl();
  await expect(runs.ask(large, control)).rejects.toThrow();
  expect(control.report).toMatchObject({ status: 'FAILED', published: false, result_url: '' });
  expect(control.report?.message).toMatch(
    /took too long: it read \d+ of 150 of your files in \d+ seconds.*grpc\.analysis_timeout_seconds/,
  );
  const { memory } = await memoryOf(runs);
  expect(memory.pods.get(large.pod.root)?.figures).toBeNull();
});

test('the time that a login took before is over as well', async () => {
  const runs = await start(HURRY);
  const control = new TestControl();
  const startedAt = performance.now() - HURRY * 1000;
  await expect(runs.run({ caller: small.pod.webId, startedAt }, control)).rejects.toThrow();
  expect(control.report?.message).toContain('took too long: it read 0 of 2 of your files');
});

test('who calls beside them gets a whole result, and is told how many Pods are not in', async () => {
  const runs = await start(HURRY);
  slowDown(large, 6_000);
  const { report, document } = await runs.run({ caller: small.pod.webId });
  expect(report).toMatchObject({
    status: 'COMPLETED',
    files_read: 2,
    files_skipped: 0,
    pod_count: 2,
  });
  expect(report.message).toContain('1 of the 2 Pods is not in the figures of the cohort yet');
  expect(document.cohort).toMatchObject({ included_pod_count: 1, observation_count: 2 });
  expect(shownIn(document.pods, large)).toMatchObject({ included_in_cohort: false });
});

test('a Pod that counted before is carried while there is no time for it, until it takes something back', async () => {
  const runs = await start(120);
  const whole = (await runs.run({ caller: small.pod.webId })).document;
  expect(whole.cohort).toMatchObject({ included_pod_count: 2, observation_count: 152 });
  const hurried = await start(HURRY);
  slowDown(large, 6_000);
  const carried = (await hurried.run({ caller: small.pod.webId })).document;
  expect(carried.cohort).toMatchObject({
    carried_pod_count: 1,
    observation_count: 152,
    average_of_averages: whole.cohort.average_of_averages,
  });
  const [first = ''] = large.urls;
  const sharing = { urls: [first], recipientWebId: analyser.pod.webId };
  await revokeShares(large.client, large.pod, sharing);
  server.proxy.heal();
  slowDown(large, 6_000);
  const out = await hurried.run({ caller: small.pod.webId });
  // What was refused has to be asked for twice, for which there may be no time; then it is carried still.
  expect([1, 2]).toContain(out.document.cohort.included_pod_count);
  expect(out.report.status).toBe('COMPLETED');
  server.proxy.heal();
  const again = await start(120);
  const settled = (await again.run({ caller: small.pod.webId })).document;
  expect(settled.cohort).toMatchObject({ included_pod_count: 2, observation_count: 151 });
  expect(settled.cohort).not.toHaveProperty('carried_pod_count');
});

test('under changed rules a Pod that cannot be read in full withholds the cohort, and own results go out', async () => {
  const runs = await start(120);
  await runs.run({ caller: small.pod.webId });
  const changed = await startTestRuns(
    server,
    analyser,
    { ...noCharts, analysis: { window_days: 36_500 } },
    { timeoutSeconds: HURRY },
  );
  opened.push(changed);
  slowDown(large, 6_000);
  const { report, document } = await changed.run({ caller: small.pod.webId });
  expect(report.status).toBe('COMPLETED');
  expect(document.warnings.join()).toContain('since the rules of the analysis changed');
  server.proxy.heal();
  const after = (await changed.run({ caller: small.pod.webId })).document;
  expect(after.warnings.join()).not.toContain('since the rules');
});

test('addresses that a stranger names in their Pods make nobody late', async () => {
  const runs = await start(120);
  await runs.run({ caller: small.pod.webId });
  const mallory = await createInitialisedPod(server);
  opened.push(mallory);
  const attacker = await createAttacker(mallory, analyser);
  const folder = `${small.pod.documents.app}data/blood_pressure/`;
  await attacker.plant(
    Array.from({ length: 1_000 }, (_, nth) => ({ url: `${folder}bp_0_${nth}.json.enc.ttl` })),
  );
  server.proxy.inject({
    when: ({ url }) => url.includes('/bp_0_'),
    fault: { kind: 'delay', ms: 2_000 },
  });
  const hurried = await start(HURRY);
  const { report, document } = await hurried.run({ caller: small.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true, files_read: 2 });
  expect(report.message).toMatch(
    /\d+ files that an entry or a folder of yours names were not asked for/,
  );
  expect(document.cohort).not.toHaveProperty('carried_pod_count');
}, 180_000);
