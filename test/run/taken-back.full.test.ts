import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { podIdOfRoot } from '../../src/pod/pod-id.js';
import { revokeShares, shareResources } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { openChartStore } from '../../src/store/chart-store.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { startTestRuns, type TestRuns, withTestRuns } from '../support/test-runs.js';

/** What an owner takes back counts no longer, at once; what fails for a while goes on counting. */
let server: ProxiedServer;
let analyser: InitialisedPod;
let bob: InitialisedPod;
let carol: Contributor;
let runs: TestRuns;

beforeAll(async () => {
  server = await startProxiedServer();
});
beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  bob = await createContributor(server, analyser, weekly([110, 70, 50]));
  carol = await createContributor(
    server,
    analyser,
    weekly([150, 90, 60], [160, 92, 62], [170, 94, 64]),
  );
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
  expect((await cohort()).observation_count).toBe(4);
});
afterEach(async () => {
  server.proxy.heal();
  await runs.close();
  await Promise.all([analyser, bob, carol].map((one) => one.close()));
});
afterAll(() => server.stop());

const cohort = async () => (await runs.run({ caller: bob.pod.webId })).document.cohort;
const revoke = (...urls: string[]) =>
  revokeShares(carol.client, carol.pod, { urls, recipientWebId: analyser.pod.webId });

test('two of three files taken back and the third overwritten: nothing of them counts any more', async () => {
  const [first = '', second = '', third = ''] = carol.urls;
  await revoke(first, second);
  const { body } = await carol.client.request(third);
  // Whole, and under the same key, but no reading any more: its first block is another.
  const other = body.toString().replace(/(?<=encData> ")..../, 'AAAA');
  await putDocument(carol.client, third, other);
  expect(await cohort()).toMatchObject({ included_pod_count: 1, observation_count: 1 });
  expect(await cohort()).not.toHaveProperty('carried_pod_count');
});

test('one file taken back while another gives no answer: the Pod is out until that was read', async () => {
  const [first = '', second = ''] = carol.urls;
  await revoke(first);
  server.proxy.inject({
    when: ({ url }) => url === second,
    fault: { kind: 'answer', status: 503 },
  });
  const out = await cohort();
  expect(out).toMatchObject({ included_pod_count: 1, observation_count: 1 });
  expect(out).not.toHaveProperty('carried_pod_count');
  server.proxy.heal();
  expect(await cohort()).toMatchObject({ included_pod_count: 2, observation_count: 3 });
});

test.each([403, 404])(
  'a server that answers %i to everything for a while ends nothing',
  async (status) => {
    let hasBegun = false;
    server.proxy.inject({
      when: ({ url, method }) => {
        const isFile = method === 'GET' && url.includes('/bp_');
        hasBegun ||= isFile;
        return isFile;
      },
      fault: { kind: 'answer', status },
    });
    server.proxy.inject({
      when: ({ url }) => hasBegun && url === analyser.pod.documents.encKeys,
      fault: { kind: 'answer', status },
    });
    expect((await runs.run({ caller: bob.pod.webId })).report.status).toBe('NO_DATA');
    server.proxy.heal();
    expect(await cohort()).toMatchObject({ included_pod_count: 2, observation_count: 4 });
  },
);

test('a limit of rate that refuses one file in two ends nothing', async () => {
  let count = 0;
  server.proxy.inject({
    when: ({ url, method }) => {
      if (method !== 'GET' || !url.includes('/bp_')) return false;
      count += 1;
      return count % 2 === 0;
    },
    fault: { kind: 'answer', status: 403 },
  });
  await runs.run({ caller: bob.pod.webId });
  server.proxy.heal();
  expect(await cohort()).toMatchObject({ included_pod_count: 2, observation_count: 4 });
});

test('what was taken back ends in run-once too when one file takes longer than an analysis for callers may', async () => {
  runs.config.grpc.analysis_timeout_seconds = 4;
  await revoke(...carol.urls);
  server.proxy.inject({
    when: ({ method, url }) =>
      method === 'GET' && url.startsWith(bob.pod.root) && url.includes('/bp_'),
    fault: { kind: 'delay', ms: 5_000 },
  });
  const { document } = await runs.run({ caller: null });
  expect(document.cohort).toMatchObject({ included_pod_count: 1, observation_count: 1 });
  expect(document.cohort).not.toHaveProperty('carried_pod_count');
});

/** The same var/, with other settings. */
const under = (
  data: Partial<TestRuns['config']['data']>,
  work: (runs: TestRuns) => Promise<void>,
) =>
  withTestRuns(
    server,
    analyser,
    { data, output: { ...runs.config.output, render_charts: true } },
    work,
  );

test('where its Pod is left out, what was taken back leaves neither chart nor figures behind', async () => {
  const [first = '', ...others] = carol.urls;
  await under({}, async (before) => {
    await before.run({ caller: carol.pod.webId });
    expect(await openChartStore(before.config.output).has(podIdOfRoot(carol.pod.root))).toBe(true);
  });
  await revoke(first, ...others);
  await under({ excluded_pods: [carol.pod.root] }, async (after) => {
    await after.run({ caller: bob.pod.webId });
    expect(await openChartStore(after.config.output).has(podIdOfRoot(carol.pod.root))).toBe(false);
  });
  await shareResources(carol.client, carol.pod, {
    urls: [first],
    recipientWebId: analyser.pod.webId,
  });
  server.proxy.inject({ when: ({ url }) => url === first, fault: { kind: 'answer', status: 503 } });
  expect(await cohort()).toMatchObject({ included_pod_count: 1, observation_count: 1 });
});

test('in a trial run the chart of who took everything back goes, and that of a silent Pod stays', async () => {
  const dan = await createContributor(server, analyser, weekly([125, 85, 65]));
  const trial = { sharing: { enabled: false } };
  await withTestRuns(server, analyser, trial, async (trialRuns) => {
    const charts = openChartStore(trialRuns.config.output);
    const drawn = () =>
      Promise.all([bob, carol, dan].map(({ pod }) => charts.has(podIdOfRoot(pod.root))));
    for (const one of [bob, carol, dan]) await trialRuns.ask(one);
    expect(await drawn()).toEqual([true, true, true]);
    await revoke(...carol.urls);
    server.proxy.inject({
      when: ({ url }) => url.startsWith(dan.pod.root),
      fault: { kind: 'answer', status: 503 },
    });
    await trialRuns.ask(bob);
    expect(await drawn()).toEqual([true, false, true]);

    // Without the inbox nobody knows who shares.
    server.proxy.inject({
      when: ({ url }) => url === analyser.pod.documents.sharedKeys,
      fault: { kind: 'answer', status: 503 },
    });
    await trialRuns.ask(bob);
    expect(await drawn()).toEqual([true, false, true]);
  });
  await dan.close();
});

test('while the memory cannot be stored, the chart of who took everything back stays', async () => {
  await under({}, async (drawing) => {
    const hasChart = () => openChartStore(drawing.config.output).has(podIdOfRoot(carol.pod.root));
    await drawing.ask(carol);
    await revoke(...carol.urls);
    server.proxy.inject({
      when: ({ method, url }) => method === 'PUT' && url.endsWith('/analyser/memory.txt'),
      fault: { kind: 'answer', status: 403 },
    });
    await drawing.ask(bob);
    expect(await hasChart()).toBe(true);
    server.proxy.heal();
    await drawing.ask(bob);
    expect(await hasChart()).toBe(false);
  });
});
