import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { putDocument } from '../../src/solid/documents.js';
import { createContributor, weekly } from '../support/contributor.js';
import { type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { openClient } from '../support/open-client.js';
import { cohortAddress, collectCohort, collectOwn } from '../support/published.js';
import { refuse } from '../support/recording-client.js';
import { TestControl } from '../support/test-control.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/** What a healthy server does not do on demand, by a proxy in front of the real one. */
const server = await startProxiedServer();
const analyser = await createInitialisedPod(server);
const [anna, ben] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70])),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
const client = openClient({
  serverUrl: server.baseUrl,
  credentials: analyser.account,
  timeouts: { answerMs: 3_000 },
  policy: { tries: 2, slowTries: 1, firstPauseMs: 1 },
});
await client.login();
let runs: TestRuns;

beforeEach(async () => {
  runs = await startTestRuns(server, analyser, noCharts, { client, timeoutSeconds: 30 });
  server.proxy.forget();
});
afterEach(() => server.proxy.heal());

const at =
  (url: string | undefined, method = 'GET') =>
  (request: ProxiedRequest) =>
    request.method === method && decodeURIComponent(request.url) === decodeURIComponent(url ?? '');

describe('while reading', () => {
  test('an inbox that somebody has spoiled, or filled beyond what is read, is no failure, even if nothing was ever read', async () => {
    const lonely = await createInitialisedPod(server);
    const { sharedKeys } = lonely.pod.documents;
    const full = refuse(lonely.client, (url) => url === sharedKeys, 'too-large');
    await putDocument(lonely.client, sharedKeys, '<<<<');
    for (const through of [full, lonely.client]) {
      const alone = await startTestRuns(server, lonely, {}, { client: through });
      const report = await alone.ask(ben);
      expect(report).toMatchObject({ status: 'NO_DATA', pod_count: 0 });
      expect(report.message).toContain('The inbox of the Analyser could not be read');
    }
  });

  test('without the inbox what was read before counts, and without either there is no analysis', async () => {
    await runs.ask(ben);
    const broken = { kind: 'answer', status: 500 } as const;
    server.proxy.inject({ when: at(analyser.pod.documents.sharedKeys), fault: broken });
    const { document, report } = await runs.run({ caller: ben.pod.webId });
    expect(report).toMatchObject({ status: 'COMPLETED', files_read: 1, pod_count: 2 });
    expect(document.warnings.join()).toContain('The inbox could not be read');

    const lonely = await createInitialisedPod(server);
    server.proxy.inject({ when: at(lonely.pod.documents.sharedKeys), fault: broken });
    const alone = await startTestRuns(server, lonely);
    const run = alone.run({ caller: ben.pod.webId });
    await expect(run).rejects.toMatchObject({ kind: 'server', failure: 'unavailable' });
  });

  test('behind a limit of five requests a second every file is read and the result arrives', async () => {
    const taken: number[] = [];
    const refused = server.proxy.inject({
      when: () => {
        const now = performance.now();
        if (taken.filter((time) => time > now - 1000).length >= 5) return true;
        taken.push(now);
        return false;
      },
      fault: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } },
    });
    const patient = await startTestRuns(server, analyser);
    const { document, report } = await patient.run({ caller: ben.pod.webId });
    expect(report).toMatchObject({ status: 'COMPLETED', published: true, files_skipped: 0 });
    expect(document.cohort).toMatchObject({ included_pod_count: 2, observation_count: 3 });
    expect(refused.hits).toBeGreaterThan(0);
  });

  test('a Cancel does not wait for a read that hangs', async () => {
    const hanging = server.proxy.inject({ when: at(anna.urls[0]), fault: { kind: 'hang' } });
    const control = new TestControl();
    const slow = await startTestRuns(server, analyser);
    const run = slow.run({ caller: anna.pod.webId }, control);
    await hanging.hit();
    const before = performance.now();
    expect(control.cancel('cancel')).toBe(true);
    await expect(run).rejects.toMatchObject({ kind: 'cancelled' });
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe('while publishing', () => {
  test('a write that is lost is found out, and the next run delivers', async () => {
    const lost = server.proxy.inject({
      when: at(anna.pod.documents.sharedKeys, 'PATCH'),
      fault: { kind: 'answer', status: 205 },
    });
    const { document } = await runs.run({ caller: anna.pod.webId });
    const { webId } = anna.pod;
    for (const { recipients, failures } of document.sharing.published) {
      expect(recipients).toEqual([]);
      expect(failures[webId]).toContain('did not receive the key');
    }
    expect(document.warnings.join('\n')).toContain(`${webId} did not receive the key of`);
    await expect(collectOwn(analyser, anna)).rejects.toThrow('No key has been shared');
    lost.remove();
    expect(await runs.ask(anna)).toMatchObject({ published: true });
    await collectOwn(analyser, anna);
  });

  test('[7.1] a cohort document that cannot be written stays closed, and the own result is delivered', async () => {
    await runs.run({ caller: ben.pod.webId });
    server.proxy.inject({
      when: at(cohortAddress(analyser), 'PUT'),
      fault: { kind: 'answer', status: 500 },
    });
    const { document } = await runs.run({ caller: anna.pod.webId });
    expect(document.sharing.published).toMatchObject([
      { kind: 'pod-average', recipients: [anna.pod.webId], failures: {} },
      {
        kind: 'cohort-average',
        recipients: [],
        failures: { [anna.pod.webId]: expect.stringContaining('HTTP 500') },
      },
    ]);
    // The old content was for Ben, and is for nobody now.
    for (const { client: reader } of [anna, ben]) {
      expect((await reader.request(cohortAddress(analyser))).status).toBe(403);
    }
    expect((await collectOwn(analyser, anna)).pod.files_read).toBe(2);
    server.proxy.heal();
    await runs.run({ caller: anna.pod.webId });
    expect((await collectCohort(analyser, anna)).cohort.pod_count).toBe(2);
  });
});
