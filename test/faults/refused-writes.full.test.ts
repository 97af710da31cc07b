import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { removeMemory } from '../support/memory-of.js';
import { openClient } from '../support/open-client.js';
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
