import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

let server: ProxiedServer;
let analyser: InitialisedPod;
let alice: InitialisedPod;
let mallory: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  server = await startProxiedServer();
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  mallory = await createContributor(server, analyser, weekly([130, 85, 70]));
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, alice, mallory].map((one) => one.close()));
  await server.stop();
});

test('an inbox that trickles in costs its reader the result after half a minute, and nobody else', async () => {
  const { sharedKeys } = mallory.pod.documents;
  server.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url === sharedKeys,
    fault: { kind: 'trickle', bytes: 1, everyMs: 1_000 },
  });
  const began = performance.now();
  const { document } = await runs.run({ caller: null });
  expect(performance.now() - began).toBeLessThan(60_000);
  const failures = Object.assign({}, ...document.sharing.published.map((one) => one.failures));
  expect(failures).toEqual({
    [mallory.pod.webId]: expect.stringContaining('took more than 30 seconds to take a result'),
  });
  expect((await collectOwn(analyser, alice)).generated_at).toBe(document.generated_at);
}, 120_000);
