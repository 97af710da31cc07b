import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { shareResources } from '../../src/pod/share.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import { record, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { createOddPod } from '../support/odd-pod.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';
import { startTestCycle, type TestCycle } from '../support/test-cycle.js';

const server = { ...sharedSolidServer(), rootDir: inject('solidServerFolder') };
let analyser: InitialisedPod;
let cycle: TestCycle;
const callers: InitialisedPod[] = [];

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  cycle = await startTestCycle(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await cycle.close();
  await Promise.all([analyser, ...callers].map((one) => one.close()));
});

async function createCaller(segment: string): Promise<InitialisedPod> {
  const account = await createOddPod(server, segment, uniquePodName('odd'));
  const securityKey = 'a security key';
  const client = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  const pod = await initialisePod(client, { webId: account.webId, appDir: 'app', securityKey });
  const caller: InitialisedPod = {
    account,
    client,
    pod,
    securityKey,
    close: async () => {
      pod.dispose();
      await client.close();
    },
  };
  callers.push(caller);
  const urls = await record(caller, weekly([120, 80, 60]));
  await shareResources(client, pod, { urls, recipientWebId: analyser.pod.webId });
  return caller;
}

test.each([
  // Every character that stands for itself in a path, but for those of common names.
  "at@plus+comma,semi;dollar$bang!quote'open(close)star*and&is=tilde~colon:end",
  'sp%20ace-%C3%BC',
])('a Pod named %s gets its result, again and again', async (segment) => {
  const name = `${segment}-${uniquePodName()}`;
  const caller = await createCaller(name);
  for (const time of ['first', 'second']) {
    const report = await cycle.ask(caller);
    expect(report, time).toMatchObject({ status: 'COMPLETED', published: true, files_read: 1 });
    expect(report.result_url).toBe(
      `${analyser.pod.root}app/data/analyser/${new URL(server.baseUrl).host}-${name}/bp-average.json.enc.ttl`,
    );
    const result = await collectOwn(analyser, caller);
    expect(result.generated_at).toBe(report.generated_at);
    expect(result.average.systolic).toBe(120);
  }
});
