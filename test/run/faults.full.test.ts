import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import {
  type ProxiedRequest,
  type ProxiedServer,
  startProxiedServer,
} from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import {
  cohortAddress,
  collectCohort,
  collectOwn,
  ownResultAddress,
} from '../support/published.js';
import { takeSnapshot } from '../support/snapshot.js';
import { TestControl } from '../support/test-control.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/** What a healthy server does not do on demand, by a proxy in front of the real one. */
let server: ProxiedServer;
let analyser: InitialisedPod;
let anna: Contributor;
let ben: Contributor;
let client: HttpSolidClient;
let runs: TestRuns;

beforeAll(async () => {
  server = await startProxiedServer();
  analyser = await createInitialisedPod(server);
  [anna, ben] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70])),
    createContributor(
      server,
      analyser,
      weekly(...Array.from({ length: 12 }, (): [number, number, number] => [110, 70, 50])),
    ),
  ]);
  client = createSolidClient({
    serverUrl: server.baseUrl,
    credentials: analyser.account,
    timeouts: { answerMs: 3_000 },
    policy: { tries: 2, slowTries: 1, firstPauseMs: 1 },
  });
  await client.login();
}, 120_000);
afterAll(async () => {
  await client.close();
  await Promise.all([analyser, anna, ben].map((one) => one.close()));
  await server.stop();
});
beforeEach(async () => {
  runs = await startTestRuns(
    server,
    analyser,
    { output: { render_charts: false } },
    { client, timeoutSeconds: 30 },
  );
  server.proxy.forget();
});
afterEach(async () => {
  server.proxy.heal();
  await runs.close();
});

const at =
  (url: string | undefined, method = 'GET') =>
  (request: ProxiedRequest) =>
    request.method === method && decodeURIComponent(request.url) === decodeURIComponent(url ?? '');

/** No results document, no chart, no write to any Pod. */
async function expectNoTrace(): Promise<void> {
  const { results_dir, charts_dir } = runs.config.output;
  expect([await takeSnapshot(results_dir), await takeSnapshot(charts_dir)]).toEqual([{}, {}]);
  const writes = server.proxy.requests.filter(
    ({ method, url }) => method !== 'GET' && !url.includes('/.oidc/'),
  );
  expect(writes).toEqual([]);
}

describe('while reading', () => {
  test('a file that hangs and one that fails are skipped with a warning', async () => {
    const [hanging, failing] = anna.urls;
    server.proxy.inject({ when: at(hanging), fault: { kind: 'hang' } });
    server.proxy.inject({ when: at(failing), fault: { kind: 'answer', status: 500 } });
    const { document } = await runs.run({ caller: ben.pod.webId });
    expect(document.cohort).toMatchObject({ pod_count: 1, observation_count: 12 });
    expect(document.warnings).toEqual([
      `${hanging}: the storage server gave no answer (file skipped): ${hanging} did not answer GET in time.`,
      expect.stringMatching(/: the storage server could not give it \(file skipped\): .* HTTP 500/),
    ]);
    expect((await collectOwn(analyser, ben)).cohort.pod_count).toBe(1);
  });

  test('ten files in succession without an answer, and none of its own: the server is gone', async () => {
    let isGone = false;
    const isLater = ({ url }: ProxiedRequest) => {
      isGone ||= url.includes('/data/blood_pressure/');
      return isGone;
    };
    server.proxy.inject({ when: isLater, fault: { kind: 'reset' } });
    const run = runs.run({ caller: anna.pod.webId });
    await expect(run).rejects.toMatchObject({ kind: 'server', failure: 'unreachable' });
    await expectNoTrace();
  });

  test('nine of them and then answers do not', async () => {
    const nine = ben.urls.slice(0, 9);
    const ofBen = (request: ProxiedRequest) => nine.includes(request.url);
    server.proxy.inject({ when: ofBen, fault: { kind: 'answer', status: 500 } });
    const { document } = await runs.run({ caller: ben.pod.webId });
    expect(document.pods.map(({ files_skipped }) => files_skipped).sort()).toEqual([0, 9]);
  });

  test('an inbox that somebody has spoiled is no failure, even if nothing was ever read', async () => {
    const lonely = await createInitialisedPod(server);
    await putDocument(lonely.client, lonely.pod.documents.sharedKeys, '<<<<');
    const alone = await startTestRuns(server, lonely);
    const report = await alone.ask(ben);
    expect(report.status).toBe('NO_DATA');
    expect(report.message).toContain('The inbox of the Analyser could not be read');
    await alone.close();
    await lonely.close();
  });

  test('without the inbox what was read before counts, and without either there is no analysis', async () => {
    await runs.ask(ben);
    const broken = { kind: 'answer', status: 500 } as const;
    server.proxy.inject({ when: at(analyser.pod.documents.sharedKeys), fault: broken });
    const { document, report } = await runs.run({ caller: ben.pod.webId });
    expect(report).toMatchObject({ status: 'COMPLETED', files_read: 12, pod_count: 2 });
    expect(document.warnings.join()).toContain('The inbox could not be read');

    const lonely = await createInitialisedPod(server);
    server.proxy.inject({ when: at(lonely.pod.documents.sharedKeys), fault: broken });
    const alone = await startTestRuns(server, lonely);
    const run = alone.run({ caller: ben.pod.webId });
    await expect(run).rejects.toMatchObject({ kind: 'server', failure: 'unavailable' });
    await alone.close();
    await lonely.close();
  });

  // The inbox: files that hang are left alone before the time limit.
  test('the time limit ends a read that hangs', async () => {
    const limited = await startTestRuns(server, analyser, {}, { timeoutSeconds: 0.5 });
    const inbox = at(analyser.pod.documents.sharedKeys);
    const hanging = server.proxy.inject({ when: inbox, fault: { kind: 'hang' } });
    const run = limited.run({ caller: anna.pod.webId });
    await expect(run).rejects.toMatchObject({
      kind: 'timeout',
      message: 'The analysis took too long and was abandoned.',
    });
    expect(hanging.hits).toBe(1);
    expect(await takeSnapshot(limited.config.output.results_dir)).toEqual({});
    await limited.close();
    await expectNoTrace();
  });

  test('a Cancel does not wait for a read that hangs', async () => {
    const hanging = server.proxy.inject({ when: at(anna.urls[0]), fault: { kind: 'hang' } });
    const control = new TestControl();
    const slow = await startTestRuns(server, analyser);
    const run = slow.run({ caller: anna.pod.webId }, control);
    await hanging.hit();
    const before = performance.now();
    expect(control.stop('cancel')).toBe(true);
    await expect(run).rejects.toMatchObject({ kind: 'cancelled' });
    expect(performance.now() - before).toBeLessThan(5_000);
    await slow.close();
    await expectNoTrace();
  });
});

describe('while publishing', () => {
  test('a write that is lost is found out, and the next run delivers', async () => {
    const lost = server.proxy.inject({
      when: at(anna.pod.documents.sharedKeys, 'PATCH'),
      fault: { kind: 'pretend', status: 205 },
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

  test('a cohort document that cannot be written stays closed, and the own result is delivered', async () => {
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
    const stored = await runs.connection.client.request(ownResultAddress(analyser, anna));
    expect(stored.status).toBe(200);
    const own = await collectOwn(analyser, anna);
    expect(own.pod.files_read).toBe(2);
    server.proxy.heal();
    await runs.run({ caller: anna.pod.webId });
    expect((await collectCohort(analyser, anna)).cohort.pod_count).toBe(2);
  });

  test('a 500 that passes is got over', async () => {
    const passing = server.proxy.inject({
      when: ({ method, url }) => method === 'PATCH' && url.endsWith('/shared-keys.ttl'),
      times: 1,
      fault: { kind: 'fail-after', status: 500 },
    });
    const report = await runs.ask(anna);
    expect(passing.hits).toBe(1);
    expect(report).toMatchObject({ status: 'COMPLETED', published: true, message: '' });
  });

  test('a 403 on the Analyser’s own Pod leaves the figures, and the reply says why', async () => {
    server.proxy.inject({
      when: ({ method, url }) => method === 'PUT' && url.startsWith(analyser.pod.root),
      fault: { kind: 'answer', status: 403 },
    });
    const { document, report } = await runs.run({ caller: anna.pod.webId });
    expect(report).toMatchObject({ status: 'COMPLETED', published: false, files_read: 2 });
    expect(report.message).toMatch(
      /did not reach your Pod: the document could not be written: .*403/,
    );
    expect(document.sharing.published[0]?.failures[anna.pod.webId]).toContain('HTTP 403');
    const anybody = server.proxy.requests.filter(({ url }) => url.startsWith(anna.pod.root));
    expect(anybody.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
