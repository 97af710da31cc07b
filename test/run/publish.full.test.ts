import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AnalyserError } from '../../src/base/errors.js';
import { readResult } from '../../src/client/result.js';
import { everyoneRule, ownerRule, writeAcl } from '../../src/pod/access-control.js';
import { aclAddress } from '../../src/pod/addresses.js';
import { parseEncryptedResource } from '../../src/pod/formats/encrypted-resource.js';
import { vocabulary } from '../../src/pod/formats/vocabulary.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { putDocument } from '../../src/solid/documents.js';
import { readTurtle } from '../../src/solid/turtle.js';
import { openResultsStore, type ResultsStore } from '../../src/store/results-store.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { openWithKey, readEncrypted } from '../support/open-with-key.js';
import {
  checkCohortAverage,
  checkPodAverage,
  cohortAddress,
  collectCohort,
  collectOwn,
  ownResultAddress,
} from '../support/published.js';
import { recordRequests, refuse } from '../support/recording-client.js';
import { findChanges, folderOfPod, snapshotPods, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();

const analyser = await createInitialisedPod(server);
/** The readings of `keyless` and `closed` are shared, but results cannot reach them. */
const [anna, ben, keyless, closed] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60])),
  createContributor(server, analyser, weekly([130, 90, 70])),
  createContributor(server, analyser, weekly([110, 70, 50])),
  createContributor(server, analyser, weekly([140, 100, 80])),
]);
const all = [analyser, anna, ben, keyless, closed];
await keyless.client.request(keyless.pod.documents.publicKey, { method: 'DELETE' });
const { sharedFolder } = closed.pod.documents;
const rules = writeAcl(sharedFolder, [ownerRule(sharedFolder, closed.pod.webId)]);
await putDocument(closed.client, aclAddress(sharedFolder), rules);
const runs = await startTestRuns(server, analyser, noCharts);

const contentOf = async (url: string) =>
  (await parseEncryptedResource((await analyser.client.request(url)).body, url)).content;

/** An Analyser to whom nobody else shares anything, and to whom nothing has happened yet. */
async function createWorld() {
  const own = await createInitialisedPod(server);
  const [reader, other] = await Promise.all([
    createContributor(server, own, weekly([120, 80, 60])),
    createContributor(server, own, weekly([130, 90, 70])),
  ]);
  return { own, reader, other };
}

test('[7.8] a second run for everybody changes no key, adds no second value, and only the logs grow', async () => {
  const initialised = [anna, ben];
  const first = await runs.run({ caller: null });
  const keys = await keysOf(initialised);
  const iv = (await contentOf(cohortAddress(analyser))).iv;
  const [podsBefore, linesBefore] = [await snapshotPods(all), await logLines()];
  const second = await runs.run({ caller: null });
  const [podsAfter, linesAfter] = [await snapshotPods(all), await logLines()];

  expect(second.document.requested_by).toBeNull();
  expect(second.document.run_id).not.toBe(first.document.run_id);
  expect(second.document.cohort).toEqual(first.document.cohort);
  expect(second.document.pods).toEqual(first.document.pods);
  expect(second.document.sharing).toEqual(first.document.sharing);
  expect(await keysOf(initialised)).toEqual(keys);
  expect((await contentOf(cohortAddress(analyser))).iv).not.toBe(iv);
  for (const { client, pod } of initialised) {
    const { sharedKeys } = pod.documents;
    const inbox = await readTurtle((await client.request(sharedKeys)).body, sharedKeys);
    for (const subject of inbox.subjects()) {
      if (!subject.startsWith(vocabulary.resourceId)) continue;
      const { sharedPath, sharedAccess, sharedKey } = vocabulary;
      const counts = [sharedPath, sharedAccess, sharedKey].map(
        (predicate) => inbox.literals(subject, predicate).length,
      );
      expect(counts).toEqual([1, 1, 1]);
    }
  }
  for (const { pod } of all) {
    const changes = findChanges(podsBefore[pod.root] ?? {}, podsAfter[pod.root] ?? {});
    const allowed =
      pod === analyser.pod
        ? /^app\/(data\/analyser\/.*\.json\.enc\.ttl|logs\/permissions-log\.ttl)$/
        : /^app\/(shared\/shared-keys\.ttl|logs\/permissions-log\.ttl)$/;
    expect(changes.filter((path) => !allowed.test(path))).toEqual([]);
  }
  // Two documents for each of those that can be reached.
  const { recipients } = second.document.sharing.published.at(-1) ?? {};
  expect(recipients).toHaveLength(2);
  const grown = linesAfter.map((count, index) => count - (linesBefore[index] ?? 0));
  expect(grown).toEqual([4, 2, 2, 0, 0]);

  const failed = second.document.sharing.published.flatMap((one) => Object.entries(one.failures));
  expect(Object.fromEntries(failed)).toEqual({
    [keyless.pod.webId]: expect.stringContaining('Recipient Pod not initialised: '),
    [closed.pod.webId]: expect.stringContaining('is closed to the Analyser (HTTP 403)'),
  });
});

async function keysOf(readers: InitialisedPod[]): Promise<string[]> {
  const keys = readers.flatMap((reader) =>
    [ownResultAddress(analyser, reader), cohortAddress(analyser)].map(async (url) =>
      (await readEncrypted(reader, url)).key.toString('hex'),
    ),
  );
  return Promise.all(keys);
}

function logLines(): Promise<number[]> {
  return Promise.all(
    all.map(async ({ client, pod }) => {
      const url = pod.documents.permissionsLog;
      const { body } = await client.request(url);
      const subjects = [...(await readTurtle(body, url)).subjects()];
      return subjects.filter((subject) => subject.startsWith(vocabulary.logId)).length;
    }),
  );
}

/** With a disk on which only so many run documents can be written. */
async function startWithRoomFor(runDocuments: number): Promise<TestRuns> {
  const folder = await newFolder();
  const store = openResultsStore(folder);
  let room = runDocuments;
  const results: ResultsStore = {
    ...store,
    write(document) {
      room -= 1;
      if (room >= 0) return store.write(document);
      return Promise.reject(new AnalyserError('disk', `Could not write ${folder}/run.json.`));
    },
  };
  return await startTestRuns(server, analyser, noCharts, { tools: { results } });
}

test('a disk that fills up after the result has left says so without a path', async () => {
  const full = await startWithRoomFor(1);
  const { report, errors } = await full.run({ caller: anna.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect(errors).toMatchObject([{ kind: 'disk' }]);
  expect(report.message).toContain('could not write to its own disk');
  expect(report.message).not.toContain('run.json');
});

/** With a folder in the place of the chart, which comes after the run document. */
async function startWithoutPlaceForChart(): Promise<TestRuns> {
  const drawing = await startTestRuns(server, analyser, {}, { tools: { drawChart } });
  async function drawChart(): Promise<Buffer> {
    const { charts_dir } = drawing.config.output;
    await mkdir(join(charts_dir, `${podIdOfRoot(anna.pod.root)}.png`), { recursive: true });
    return Buffer.from('a picture');
  }
  return drawing;
}

test.each([
  ['run document', () => startWithRoomFor(0)],
  ['chart', startWithoutPlaceForChart],
])('a result whose %s cannot be stored is not published', async (_, startOnDisk) => {
  const pods = [analyser, anna].map(({ pod }) => folderOfPod(pod.root));
  await runs.ask(anna);
  const before = await Promise.all(pods.map(takeSnapshot));
  const full = await startOnDisk();
  await expect(full.ask(anna)).rejects.toMatchObject({ kind: 'disk' });
  const after = await Promise.all(pods.map(takeSnapshot));
  expect(before.map((one, index) => findChanges(one, after[index] ?? {}))).toEqual([[], []]);
});

test('what fails for one reader of run-once keeps nothing from the others, nor from the logs', async () => {
  const before = await logLines();
  const drawing = await startWithoutPlaceForChart();
  await expect(drawing.run({ caller: null })).rejects.toMatchObject({ kind: 'disk' });
  const grown = (await logLines()).map((count, index) => count - (before[index] ?? 0));
  expect(grown).toEqual([2, 0, 2, 0, 0]);
});

describe('settings', () => {
  test('[7.1] encrypt_results: false replaces the result with JSON in plain, with the same access; and back', async () => {
    const [url, cohort] = [ownResultAddress(analyser, anna), cohortAddress(analyser)];
    await runs.ask(anna);
    const { key } = await readEncrypted(anna, url);
    const place = { analyserWebId: analyser.pod.webId };
    const settings = { ...noCharts, sharing: { encrypt_results: false } };
    const plain = await startTestRuns(server, analyser, settings);
    expect(await plain.ask(anna)).toMatchObject({ published: true, result_url: url });
    const answer = await anna.client.request(url);
    expect(answer.headers['content-type']).toBe('application/json');
    const document = checkPodAverage(JSON.parse(answer.body.toString()));
    expect(document.average).toEqual({ systolic: 120, diastolic: 80, heart_rate: 60 });
    expect(await readResult(anna, place)).toEqual(document);
    checkCohortAverage(JSON.parse((await anna.client.request(cohort)).body.toString()));
    for (const address of [url, cohort]) {
      expect((await ben.client.request(address)).status).toBe(403);
      expect((await fetch(address)).status).toBe(401);
    }

    const { generated_at } = await runs.ask(anna);
    expect(await openWithKey(anna.client, url, key)).toContain(generated_at);
    expect((await readResult(anna, place)).generated_at).toBe(generated_at);
  });

  test('sharing.enabled: false writes to no Pod, and still records the run with its chart', async () => {
    const before = await snapshotPods(all);
    const one = await startTestRuns(server, analyser, { sharing: { enabled: false } });
    const report = await one.ask(anna);
    expect(report).toMatchObject({
      status: 'COMPLETED',
      published: false,
      result_url: '',
      message: 'Nothing was published: the service runs without sharing results.',
    });
    const latest = await readFile(join(one.config.output.results_dir, 'latest.json'), 'utf8');
    expect(JSON.parse(latest)).toMatchObject({
      run_id: report.run_id,
      sharing: { enabled: false, published: [] },
    });
    const charts = await takeSnapshot(one.config.output.charts_dir);
    expect(Object.keys(charts)).toEqual([`${podIdOfRoot(anna.pod.root)}.png`]);
    expect(await snapshotPods(all)).toEqual(before);
  });

  test('share_cohort_average: false closes the cohort document of earlier callers, once', async () => {
    const { own, reader, other } = await createWorld();
    const url = cohortAddress(own);
    const statuses = () =>
      Promise.all([reader, other].map(async ({ client }) => (await client.request(url)).status));
    const settings = { ...noCharts, sharing: { share_cohort_average: false } };
    const askAlone = async (caller: InitialisedPod = reader) => {
      const client = recordRequests(own.client);
      await (await startTestRuns(server, own, settings, { client })).ask(caller);
      return client.requests
        .filter((request) => request.url.startsWith(url))
        .map((request) => `${request.method} ${request.url.slice(url.length)}`);
    };
    expect(await askAlone()).toEqual(['GET .acl']);

    const sharing = await startTestRuns(server, own, noCharts);
    await sharing.run({ caller: null });
    expect(await statuses()).toEqual([200, 200]);
    const client = refuse(
      own.client,
      (asked, how) => asked === `${url}.acl` && how?.method === 'PUT',
    );
    const refused = await startTestRuns(server, own, settings, { client });
    expect((await refused.run({ caller: reader.pod.webId })).errors).toHaveLength(1);
    // Whoever asks first, also somebody who has no result.
    expect(await askAlone(own)).toEqual(['GET .acl', 'PUT .acl']);
    expect(await statuses()).toEqual([403, 403]);
    expect(await askAlone()).toEqual(['GET .acl']);

    await sharing.ask(reader);
    expect(await statuses()).toEqual([200, 403]);
    await collectCohort(own, reader);
  });

  test('a chart library that fails is a warning, and everything else goes on', async () => {
    const drawChart = () => Promise.reject(new Error('The chart library cannot be loaded.'));
    const drawing = await startTestRuns(server, analyser, {}, { tools: { drawChart } });
    const { document } = await drawing.run({ caller: anna.pod.webId });
    expect(document.warnings).toEqual([`${anna.pod.webId}: The chart library cannot be loaded.`]);
    expect(document.charts.pods).toEqual({});
    const own = await collectOwn(analyser, anna);
    expect(own.generated_at).toBe(document.generated_at);
    expect(own).not.toHaveProperty('chart');
  });
});

test('[7.1] an access list that somebody has opened is closed again', async () => {
  await runs.run({ caller: anna.pod.webId });
  const url = cohortAddress(analyser);
  const rules = writeAcl(url, [ownerRule(url, analyser.pod.webId), everyoneRule(url, ['read'])]);
  await putDocument(analyser.client, aclAddress(url), rules);
  expect((await fetch(url)).status).toBe(200);
  await runs.run({ caller: anna.pod.webId });
  expect((await fetch(url)).status).toBe(401);
});
