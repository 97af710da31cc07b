import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareResources } from '../../src/pod/sharing/share.js';
import { createContributor, record, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { figuresOnly, startTestRuns, type TestRuns } from '../support/test-runs.js';

/** Some file systems keep the time of a change in whole seconds, and proxies get it wrong. */
const same = {
  etag: '"1766000000000-text/turtle"',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
};

let server: ProxiedServer;
let analyser: InitialisedPod;
let alice: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  server = await startProxiedServer();
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([110, 70, 50], [130, 90, 70]));
  runs = await startTestRuns(server, analyser, figuresOnly);
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser.close(), alice.close()]);
  await server.stop();
});

/** Whatever the Analyser asks for bears the same ETag, on every run. */
async function averageNow(): Promise<number | null | undefined> {
  const fault = { kind: 'headers', values: same } as const;
  const rule = server.proxy.inject({ when: ({ method }) => method === 'GET', fault });
  try {
    const { document } = await runs.run({ caller: alice.pod.webId });
    expect(rule.hits).toBeGreaterThan(2);
    return document.pods[0]?.measures.systolic.average;
  } finally {
    rule.remove();
  }
}

test('an ETag that is used again for new content hides neither a reading nor a share', async () => {
  expect(await averageNow()).toBe(120);

  const reading = { timestamp: '2026-01-05T08:00:00.000', diastolic: 70, heart_rate: 50 };
  await record(alice, [{ ...reading, systolic: 150 }]);
  expect(await averageNow()).toBe(140);

  const added = { ...reading, timestamp: '2026-02-01T08:00:00.000', systolic: 110 };
  const urls = await record(alice, [added]);
  await shareResources(alice.client, alice.pod, { urls, recipientWebId: analyser.pod.webId });
  expect(await averageNow()).toBe(130);
});
