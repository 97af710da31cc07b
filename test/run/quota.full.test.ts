import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/embedded-server/embedded-server.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { TestControl } from '../support/test-control.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const QUOTA = 60_000;
let server: EmbeddedServer;
let analyser: InitialisedPod;
let alice: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  server = await startEmbeddedServer({ podQuotaBytes: QUOTA });
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
}, 120_000);
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, alice].map((one) => one.close()));
  await server.stop();
});

test('a quota that is full is named in the reply, and room helps', async () => {
  const filler = `${analyser.pod.root}filler.txt`;
  const fill = async (bytes: number) => {
    const headers = { 'content-type': 'text/plain' };
    const body = 'x'.repeat(bytes);
    const { status } = await analyser.client.request(filler, { method: 'PUT', headers, body });
    return status;
  };
  // As much as there is room for, to the last kilobyte.
  let size = QUOTA;
  while ((await fill(size)) === 413) size -= 1000;
  const control = new TestControl();
  await expect(runs.run({ caller: alice.pod.webId }, control)).rejects.toThrow('HTTP 413');
  expect(control.report).toMatchObject({
    status: 'FAILED',
    published: false,
    message:
      'The storage server takes no more from the Analyser (HTTP 413): the quota of its Pod is full. Its operator has to raise it or make room.',
  });
  expect(await fill(1)).toBe(205);
  const report = await runs.ask(alice);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect((await collectOwn(analyser, alice)).generated_at).toBe(report.generated_at);
});
