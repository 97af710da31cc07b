import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeAccess } from '../../src/pod/access-control.js';
import { sealValue } from '../../src/pod/crypto/rsa.js';
import { shareId, shareStatements } from '../../src/pod/documents/shared-keys.js';
import { findRecipientPod } from '../../src/pod/sharing/recipient-pod.js';
import { revokeShares, shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { patchDocument, putDocument } from '../../src/solid/documents/write-document.js';
import { readStateMarker } from '../../src/store/state-marker.js';
import {
  allowReading,
  type Contributor,
  createContributor,
  plantKey,
  sharePlain,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { checkResults } from '../support/published.js';
import { folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
/** Shares every kind of file that can hold readings. */
let formats: InitialisedPod;
/** Shares one file with forty readings. */
let forty: InitialisedPod;
/** Shares one good reading, whose entry others add to. */
let attacked: Contributor;
/** Shares one good reading and one of each kind that cannot be read. */
let broken: Contributor;
/** Shares nothing but what cannot be read. */
let hopeless: Contributor;
/** Shares what the Analyser is not set to analyse. */
let elsewhere: InitialisedPod;
/** Shares an empty folder. */
let empty: InitialisedPod;
let nobody: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [formats, forty, attacked, broken, hopeless, elsewhere, empty, nobody] = await Promise.all([
    createInitialisedPod(server),
    createInitialisedPod(server),
    createContributor(server, analyser, weekly([120, 80, 60])),
    createContributor(
      server,
      analyser,
      weekly([110, 70, 50], [1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4]),
    ),
    createContributor(server, analyser, weekly([90, 60, 50])),
    createInitialisedPod(server),
    createInitialisedPod(server),
    createInitialisedPod(server),
  ]);
  await shareFormats();
  await shareForty();
  await attack();
  await breakFiles();
  const { client, pod } = elsewhere;
  const weight = `${pod.documents.app}data/weight/w_1.json.enc.ttl`;
  await writeEncryptedResources(client, pod, [{ url: weight, content: '{}' }]);
  const folder = `${empty.pod.documents.app}data/blood_pressure/`;
  await putDocument(empty.client, `${folder}notes.txt`, 'none', { contentType: 'text/plain' });
  const recipientWebId = analyser.pod.webId;
  await shareResources(client, pod, { urls: [weight], recipientWebId });
  await shareResources(empty.client, empty.pod, { urls: [folder], recipientWebId });
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all(
    [analyser, formats, forty, attacked, broken, hopeless, elsewhere, empty, nobody].map((one) =>
      one.close(),
    ),
  );
});

/** Systolic 100, 110 and 120; diastolic 60 to 80; one heart rate, 50. */
async function shareFormats(): Promise<void> {
  const json = (value: unknown) => ({
    content: JSON.stringify(value),
    contentType: 'application/json',
  });
  const older = { timestamp: '2026-03-01T08:00:00', systolic: '100', diastolic: ' 60 ' };
  await sharePlain(formats, analyser, { name: 'older.enc.ttl', ...json(older) });
  const list = [
    { timestamp: '2026-03-02', responses: { systolic: 110, diastolic: 70, heart_rate: '50' } },
    { timestamp: '2026-03-03', responses: { systolic: 120, diastolic: 80, heart_rate: '' } },
    { timestamp: '2026-03-04', responses: { heart_rate: 61, notes: 'forgot the rest' } },
  ];
  await sharePlain(formats, analyser, { name: 'list.enc.ttl', ...json(list) });
  // Exports of the same readings, which do not count a second time.
  await sharePlain(formats, analyser, { name: 'export.json', ...json(list) });
  const content = 'timestamp,systolic,diastolic\r\n2026-03-05 08:00,130,90\r\n';
  await sharePlain(formats, analyser, { name: 'export.csv', content, contentType: 'text/csv' });
}

/** 101 to 140 and 61 to 100: averages 120.5 and 80.5, standard deviation √((40² − 1) / 12). */
async function shareForty(): Promise<void> {
  const list = Array.from({ length: 40 }, (_, index) => ({
    timestamp: new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 40))).toISOString(),
    responses: { systolic: 101 + index, diastolic: 61 + index, heart_rate: 60 },
  }));
  const url = `${forty.pod.documents.app}data/blood_pressure/all.json.enc.ttl`;
  const content = JSON.stringify(list);
  await writeEncryptedResources(forty.client, forty.pod, [{ url, content }]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(forty.client, forty.pod, { urls: [url], recipientWebId });
}

/** Anybody can write to the Analyser's inbox. */
async function attack(): Promise<void> {
  const { webId, documents } = analyser.pod;
  const [url = ''] = attacked.urls;
  const { publicKey } = await findRecipientPod(nobody.client, webId, 'app');
  const seal = (value: string) => sealValue(value, publicKey) ?? '';
  const entry = () => ({
    path: seal(url),
    accessList: seal('read'),
    key: seal(randomBytes(32).toString('base64')),
  });
  const junk = Array.from({ length: 10 }, (_, index) =>
    shareStatements(shareId(`junk ${index}`, webId), {
      path: randomBytes(256).toString('base64'),
      accessList: 'read',
      key: index % 2 === 0 ? '' : 'no base64 at all '.repeat(20),
    }),
  );
  const insert = [
    // One more entry about the same file, with a wrong key.
    ...shareStatements(shareId('something else', webId), entry()),
    // Wrong values beside the right ones, on the very same subject.
    ...shareStatements(shareId(url, webId), entry()),
    ...shareStatements(shareId(url, webId), entry()),
    ...junk.flat(),
  ];
  await patchDocument(nobody.client, documents.sharedKeys, { insert });
}

async function breakFiles(): Promise<void> {
  const [, closed = '', revoked = '', deleted = '', garbled = ''] = broken.urls;
  const { client, pod } = broken;
  const agent = analyser.pod.webId;
  await changeAccess(client, { resources: [closed], pod, agent, modes: [] });
  await revokeShares(client, pod, { urls: [revoked], recipientWebId: agent });
  await client.request(deleted, { method: 'DELETE' });
  await putDocument(client, garbled, '<> <http://example.org/x> "nothing".');
  // Asked for it as Turtle, the server would never answer.
  const linked = addressOf('linked');
  await putDocument(client, linked, '{"@context": 1', { contentType: 'application/ld+json' });
  const wrongKey = addressOf('wrong');
  const content = JSON.stringify({ systolic: 1, diastolic: 1 });
  await writeEncryptedResources(client, pod, [{ url: wrongKey, content }]);
  for (const url of [linked, wrongKey]) {
    await allowReading(broken, analyser, url);
    await plantKey(broken, analyser, url);
  }
  const [only = ''] = hopeless.urls;
  await putDocument(hopeless.client, only, 'no Turtle at all', { contentType: 'text/plain' });
}

const addressOf = (name: string) =>
  `${broken.pod.documents.app}data/blood_pressure/${name}.json.enc.ttl`;

describe('what was shared', () => {
  test('is read in every form, and whatever cannot be read is skipped for its own reason', async () => {
    const { document } = await runs.run({ caller: null });
    checkResults(document);
    const entryOf = ({ pod }: InitialisedPod) =>
      document.pods.find(({ web_id }) => web_id === pod.webId);

    expect(entryOf(formats)).toMatchObject({
      observation_count: 3,
      files_read: 2,
      files_skipped: 0,
      first_observation: '2026-03-01T08:00:00.000',
      last_observation: '2026-03-03',
      measures: {
        systolic: { average: 110, minimum: 100, maximum: 120, count: 3 },
        diastolic: { average: 70, minimum: 60, maximum: 80, count: 3 },
        heart_rate: { average: 50, minimum: 50, maximum: 50, standard_deviation: 0, count: 1 },
      },
      notes: ['1 reading has no systolic or no diastolic value and was left out.'],
    });
    // The root of 133.25.
    const deviation = 11.54;
    expect(entryOf(forty)?.measures).toEqual({
      systolic: {
        average: 120.5,
        minimum: 101,
        maximum: 140,
        standard_deviation: deviation,
        count: 40,
      },
      diastolic: {
        average: 80.5,
        minimum: 61,
        maximum: 100,
        standard_deviation: deviation,
        count: 40,
      },
      heart_rate: { average: 60, minimum: 60, maximum: 60, standard_deviation: 0, count: 40 },
    });
    expect(entryOf(attacked)).toMatchObject({
      observation_count: 1,
      files_read: 1,
      files_skipped: 0,
      measures: { systolic: { average: 120 } },
    });
    expect(entryOf(broken)).toMatchObject({
      observation_count: 1,
      files_read: 1,
      files_skipped: 5,
      measures: { systolic: { average: 110 } },
    });
    expect(entryOf(hopeless)).toBeUndefined();
    expect(document.cohort.pod_count).toBe(4);

    const [, closed, revoked, deleted, garbled] = broken.urls;
    // Warnings of a kind stand together, and which kind comes first depends on the other Pods.
    const aboutFiles = document.warnings
      .filter((warning) => warning.startsWith(broken.pod.root))
      .sort();
    const unknown = 'it is encrypted in a way that this version does not know (file skipped)';
    expect(aboutFiles).toEqual(
      [
        `${closed}: access was revoked (HTTP 403) (file skipped)`,
        // Who may not list the folder is not told whether the file is still there.
        `${deleted}: access was revoked (HTTP 403) (file skipped)`,
        `${garbled}: ${unknown}`,
        `${addressOf('linked')}: ${unknown}`,
        `${addressOf('wrong')}: could not be decrypted (file skipped)`,
      ].sort(),
    );
    expect(JSON.stringify(document)).not.toContain(revoked);
    const aboutEntries = document.warnings.filter((warning) =>
      warning.startsWith(analyser.pod.documents.sharedKeys),
    );
    // The junk; not the extra entry, whose address and key open.
    expect(aboutEntries).toHaveLength(10);
  });
});

test('a caller of whom nothing can be read is told so, and nothing is written to any Pod', async () => {
  const callers: [InitialisedPod, boolean][] = [
    [nobody, false],
    [elsewhere, true],
    [empty, true],
  ];
  const pods = [analyser, nobody, elsewhere, empty].map(({ pod }) => folderOfPod(pod.root));
  const before = await Promise.all(pods.map(takeSnapshot));
  for (const [caller, isKnown] of callers) {
    const report = await runs.ask(caller);
    expect(report).toMatchObject({ status: 'NO_DATA', result_url: '', pod_count: 4 });
    const { results_dir, state_dir } = runs.config.output;
    const latest = await takeSnapshot(results_dir);
    const lastRun = (await readStateMarker(state_dir))?.last_run?.run_id ?? '';
    expect(latest['latest.json']).toBe(latest[`run-${lastRun}.json`]);
    // Anybody can invent a WebID of which nothing is known, so such a run leaves nothing, and nothing names it.
    expect(report.run_id).toBe(isKnown ? lastRun : '');
  }
  expect(await Promise.all(pods.map(takeSnapshot))).toEqual(before);
});
