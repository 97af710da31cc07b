import { expect, test } from 'vitest';
import { shareResources } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents.js';
import {
  createContributor,
  plantKey,
  readingAddress,
  readingText,
  record,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress } from '../support/memory-of.js';
import { recordRequests } from '../support/recording-client.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns } from '../support/test-runs.js';
import { writeInheriting } from '../support/write-inheriting.js';

const server = sharedSolidServer();
const foreign = 'http://127.0.0.1:9/';

const folderOf = ({ pod }: InitialisedPod) => `${pod.documents.app}data/blood_pressure/`;

const analyser = await createInitialisedPod(server);
/**
 * `ownKeys` shares a folder whose files have keys of their own, and one of the files by itself; `folderKey` one whose
 * files use its key; `spelled` one reading, which others name in odd ways.
 */
const [ownKeys, folderKey, spelled] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60])),
  createInitialisedPod(server),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
const recipientWebId = analyser.pod.webId;
await record(ownKeys, [
  { timestamp: '2026-02-02T08:00:00.000', systolic: 180, diastolic: 110, heart_rate: 99 },
]);
await putDocument(ownKeys.client, `${folderOf(ownKeys)}picture.png`, 'no reading', {
  contentType: 'image/png',
});
await shareResources(ownKeys.client, ownKeys.pod, { urls: [folderOf(ownKeys)], recipientWebId });
const inherited = weekly([130, 90, 70], [150, 100, 80]).map((reading) => ({
  url: readingAddress(folderKey, reading.timestamp),
  content: readingText(reading),
}));
const deeper = { ...inherited[0], url: `${folderOf(folderKey)}old/bp_2020.json.enc.ttl` };
await writeInheriting(folderKey, [...inherited, { content: '', ...deeper }], folderOf(folderKey));
await shareResources(folderKey.client, folderKey.pod, {
  urls: [folderOf(folderKey)],
  recipientWebId,
});
const [reading = ''] = spelled.urls;
const planted = [
  // The one reading, in other words.
  reading.replace('blood_pressure', '%62lood_pressure'),
  reading.replace('http://localhost', 'http://LOCALHOST'),
  // What anybody can have put there.
  `${spelled.pod.documents.sharedFolder}data/blood_pressure/bp_1.json.enc.ttl`,
  // No Pod has its folder there.
  `${server.baseUrl}a/b/app/data/blood_pressure/bp_1.json.enc.ttl`,
  `${server.baseUrl}a/elsewhere/data/blood_pressure/bp_1.json.enc.ttl`,
  // Another server.
  `${foreign}zoe/app/data/blood_pressure/bp_1.json.enc.ttl`,
  `${foreign}zoe/app/data/blood_pressure/`,
  // Access rules are no readings.
  `${reading}.acl`,
  // The Analyser's own.
  `${analyser.pod.documents.app}data/blood_pressure/bp_1.json.enc.ttl`,
];
for (const url of planted) await plantKey(folderKey, analyser, url);

test('what is shared becomes files of Pods, each once, and whatever is odd a warning', async () => {
  const client = recordRequests(analyser.client);
  const runs = await startTestRuns(server, analyser, figuresOnly, { client });
  const { document } = await runs.run({ caller: null });
  const counts = document.pods.map((pod) => [pod.web_id, pod.files_read, pod.files_skipped]);
  expect(counts).toEqual(
    [
      [ownKeys.pod.webId, 1, 1],
      [folderKey.pod.webId, 2, 0],
      [spelled.pod.webId, 1, 0],
    ].sort(),
  );
  expect(document.cohort.average_of_averages.systolic).toBe(123.33);
  const elsewhere =
    'left out, because it is not on the storage server nor on one of data.allowed_origins';
  expect(document.warnings).toHaveLength(7);
  expect(document.warnings).toEqual(
    expect.arrayContaining([
      `${readingAddress(ownKeys, '2026-02-02T08:00:00')}: no key has been shared for this resource (file skipped)`,
      `${spelled.pod.documents.sharedFolder}data/blood_pressure/bp_1.json.enc.ttl: left out, because anybody may write there, so it is nobody’s data`,
      `${server.baseUrl}a/b/app/data/blood_pressure/bp_1.json.enc.ttl: left out, because it is not in the folder app/ of a Pod`,
      `${server.baseUrl}a/elsewhere/data/blood_pressure/bp_1.json.enc.ttl: left out, because it is not in the folder app/ of a Pod`,
      `${foreign}zoe/app/data/blood_pressure/bp_1.json.enc.ttl: ${elsewhere}`,
      `${foreign}zoe/app/data/blood_pressure/: ${elsewhere}`,
      expect.stringMatching(
        new RegExp(`the entry \\w+ names the Pod ${spelled.pod.root} in another form\\.$`),
      ),
    ]),
  );
  const asked = client.requests.map(({ method, url }) => `${method} ${url}`).sort();
  expect(asked).toEqual(
    [
      analyser.pod.documents.encKeys,
      memoryAddress(analyser),
      analyser.pod.documents.sharedKeys,
      folderOf(ownKeys),
      folderOf(folderKey),
      ...ownKeys.urls,
      readingAddress(ownKeys, '2026-02-02T08:00:00'),
      ...weekly([1, 1, 1], [1, 1, 1]).map(({ timestamp }) => readingAddress(folderKey, timestamp)),
      ...spelled.urls,
    ]
      .map((url) => `GET ${url}`)
      .sort(),
  );
});
