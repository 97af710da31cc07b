import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { keepPlans } from '../support/drawn-plans.js';
import { type Fault, type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, memoryOf, removeMemory } from '../support/memory-of.js';
import { openClient } from '../support/open-client.js';
import { collectOwn } from '../support/published.js';
import { dropOwnKeys } from '../support/rewritten-ind-keys.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/** A storage server that gives everything and takes nothing. */
const server = await startProxiedServer();
const analyser = await createInitialisedPod(server);
const people = await Promise.all(
  [120, 130, 140, 150].map((systolic) =>
    createContributor(server, analyser, weekly([systolic, 80, 60])),
  ),
);
let runs: TestRuns;

beforeEach(async () => {
  runs = await startTestRuns(server, analyser, noCharts);
  server.proxy.forget();
});
afterEach(async () => {
  server.proxy.heal();
  await removeMemory(analyser);
});

const isWrite = ({ method, url }: ProxiedRequest) =>
  method !== 'GET' && method !== 'HEAD' && url.startsWith(analyser.pod.root);
const webIds = () => people.map(({ pod }) => pod.webId);
/** A client that gives up soon. */
function hastyClient() {
  return openClient({
    serverUrl: server.baseUrl,
    credentials: analyser.account,
    timeouts: { answerMs: 3_000 },
    policy: { slowTries: 1, firstPauseMs: 1, mostRefusals: 2 },
  });
}
const cohortWrites = () =>
  server.proxy.requests.filter((one) => isWrite(one) && one.url.includes('/data/analyser/cohort/'));

test('[7.3][7.5][8.1] callers of a server that gives no answer to any write wait once, together, and are told why', async () => {
  server.proxy.inject({ when: isWrite, fault: { kind: 'hang' } });
  const replies = await askTogether(runs, webIds(), { client: hastyClient() });
  for (const [index, { status, published, message }] of replies.entries()) {
    expect({ status, published }).toEqual({ status: 'COMPLETED', published: false });
    expect(message).toMatch(/^The figures are ready but did not reach your Pod: /);
    const others = people.filter((_other, position) => position !== index);
    for (const { pod } of others) expect(message).not.toContain(podIdOfRoot(pod.root));
  }
  // The first documents were given up, and the one after them was not tried.
  expect(cohortWrites()).toEqual([]);
});

/** Lets the time of a publication, or of the memory, pass in two seconds. */
function shorten(limit: 20_000 | 60_000) {
  const real = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...values: []) =>
    real(run, ms === limit ? 2_000 : ms, ...values),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('[7.5] callers of a server that is slow with every write wait for a minute', async () => {
  shorten(60_000);
  server.proxy.inject({ when: isWrite, fault: { kind: 'delay', ms: 1_500 } });
  const replies = await askTogether(runs, webIds());
  for (const { published, message } of replies) {
    expect(published).toBe(false);
    expect(message).toContain(`${analyser.pod.root} took more than 60 seconds to be written to.`);
  }
});

test('a memory that cannot be written in time is waited for no longer than twenty seconds', async () => {
  shorten(20_000);
  server.proxy.inject({
    when: ({ method, url }) => method === 'PUT' && url === memoryAddress(analyser),
    fault: { kind: 'hang' },
  });
  const [caller = null] = webIds();
  const { document, report } = await runs.run({ caller });
  expect(document.warnings.join()).toContain('memory.txt took more than 20 seconds to be written');
  expect(report.published).toBe(true);
});

test('a server that refuses to unlock the Pod once more for keys that are kept has the same minute', async () => {
  shorten(60_000);
  const { encKeys, indKeys } = analyser.pod.documents;
  await dropOwnKeys(analyser);
  const asked = server.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url === indKeys,
    skip: 1,
    fault: { kind: 'delay', ms: 0 },
  });
  server.proxy.inject({
    when: ({ url }) => url === encKeys && asked.hits > 0,
    fault: { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } },
  });
  const began = performance.now();
  const replies = await askTogether(runs, webIds());
  expect(replies.map(({ published }) => published)).toEqual(people.map(() => true));
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('[7.5] run-once ends its publication with the first write that is given up', async () => {
  server.proxy.inject({ when: isWrite, fault: { kind: 'answer', status: 503 } });
  const hasty = await startTestRuns(server, analyser, noCharts, { client: hastyClient() });
  const { document } = await hasty.run({ caller: null });
  const own = document.sharing.published.filter(({ kind }) => kind === 'pod-average');
  expect(own.map(({ recipients }) => recipients)).toEqual(people.map(() => []));
  const reasons = own.flatMap(({ failures }) => Object.values(failures));
  // Those who come after the first are told what stood in its way, and no more documents are tried.
  expect(
    reasons.filter((reason) => reason.includes(` ${analyser.pod.root} `)).length,
  ).toBeGreaterThan(0);
  expect(cohortWrites()).toEqual([]);
});

test('[6.2] a memory that could not be written once is no memory that is gone: no figure was sent, in no picture either', async () => {
  const [first] = people;
  if (first === undefined) throw new Error('There are four.');
  const { tools, cohortBeside } = keepPlans();
  const drawing = await startTestRuns(server, analyser, {}, { tools });
  const fault: Fault = { kind: 'answer', status: 403 };
  server.proxy.inject({
    when: ({ method, url }) => method === 'PUT' && url === memoryAddress(analyser),
    fault,
    times: 1,
  });
  const { document } = await drawing.run({ caller: first.pod.webId });
  expect(document.warnings.join()).toContain('no figures of the cohort were sent');
  expect(document.sharing.cohort_withheld).toMatchObject({ until_confirmed: false });
  const none = { systolic: null, diastolic: null, heart_rate: null };
  const before = await collectOwn(analyser, first);
  expect(before.cohort.average_of_averages).toEqual(none);
  expect(before.chart).toMatchObject({ format: 'png' });
  expect(cohortBeside(before.average)).toEqual(none);
  const next = await drawing.run({ caller: first.pod.webId });
  expect(next.document.sharing.cohort_withheld).toBeUndefined();
  expect((await memoryOf(drawing)).memory.withheld).toBeNull();
  const after = await collectOwn(analyser, first);
  expect(after.cohort.average_of_averages.systolic).toBe(135);
  expect(cohortBeside(after.average)).toMatchObject({ systolic: 135 });
});

describe('a service whose server refuses every write', () => {
  const pauses = { firstMs: 100, longestMs: 100 };

  test.each([
    [503, 'The storage server is overloaded or out of order. Try again later.'],
    [403, 'The storage server does not let the Analyser read or write its own Pod (HTTP 403): its'],
  ])(
    'with %i is not ready until a write works, and says why',
    async (status, reason) => {
      const { client } = await startAnalyserService(server, analyser, { pauses });
      const [first] = people;
      await expect.poll(() => client.status(), { timeout: 20_000 }).toMatchObject({ ready: true });
      server.proxy.inject({ when: isWrite, fault: { kind: 'answer', status } });
      const reply = await client.analyse(first?.pod.webId ?? '');
      expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED', published: false });
      const notReady = {
        ready: false,
        message: expect.stringContaining(reason),
      };
      await expect.poll(() => client.status()).toMatchObject(notReady);
      server.proxy.forget();
      // The write that was tried first, and then another, while all else is answered.
      const tried = () => new Set(server.proxy.requests.filter(isWrite)).size;
      await expect.poll(tried, { timeout: 60_000 }).toBeGreaterThan(4);
      expect(await client.status()).toMatchObject(notReady);
      server.proxy.heal();
      await expect
        .poll(() => client.status(), { timeout: 60_000 })
        .toMatchObject({ ready: true, message: '' });
    },
    240_000,
  );

  test('[0.10] stops within the time that systemd and containers give it', async () => {
    const service = await startAnalyserService(server, analyser, { pauses });
    const { client } = service;
    await expect.poll(() => client.status(), { timeout: 20_000 }).toMatchObject({ ready: true });
    const hanging = server.proxy.inject({ when: isWrite, fault: { kind: 'hang' } });
    const [first] = people;
    const reply = client.analyse(first?.pod.webId ?? '').catch((error: unknown) => error);
    await hanging.hit();
    const began = performance.now();
    await service.stop();
    expect(performance.now() - began).toBeLessThan(35_000);
    expect(await reply).toMatchObject({ published: false });
  }, 120_000);
});
