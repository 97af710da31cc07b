import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { plantKey, readingAddress, readingText, weekly } from '../support/contributor.js';
import { announce, sealedKeyOf } from '../support/copied-share.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';
import { poison } from './attacker.js';

/**
 * Who can read a shared folder can read what is further in, so only its owner's own entry, with a key of its
 * own, shares an inner folder. The sealed key of the outer one can be copied from the inbox.
 */
const server = sharedSolidServer();
let analyser: InitialisedPod;
/** Shares her folder; in a folder inside it lie a file under the same key, and a plain one. */
let alice: InitialisedPod;
let mallory: InitialisedPod;
let runs: TestRuns;

const folderOf = ({ pod }: InitialisedPod) => `${pod.documents.app}data/blood_pressure/`;
const innerOf = (owner: InitialisedPod) => `${folderOf(owner)}old/`;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  alice = await createInitialisedPod(server);
  mallory = await createInitialisedPod(server);
  const inheritFrom = folderOf(alice);
  const files = weekly([120, 80, 60], [142, 90, 70]).map((reading) => ({
    url: readingAddress(alice, reading.timestamp),
    content: readingText(reading),
    inheritFrom,
  }));
  const deeper = { url: `${innerOf(alice)}bp_1.json.enc.ttl`, content: poison, inheritFrom };
  await writeEncryptedResources(alice.client, alice.pod, [...files, deeper]);
  const plain = { contentType: 'application/json' };
  await putDocument(alice.client, `${innerOf(alice)}export.json.enc.ttl`, poison, plain);
  const recipientWebId = analyser.pod.webId;
  await shareResources(alice.client, alice.pod, { urls: [folderOf(alice)], recipientWebId });
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterEach(async () => {
  await runs.close();
  await Promise.all([analyser, alice, mallory].map((one) => one.close()));
});

const run = async (): Promise<ResultsDocument> => (await runs.run({ caller: null })).document;
const systolicOf = ({ pods }: ResultsDocument, { pod }: InitialisedPod) =>
  pods.find(({ web_id }) => web_id === pod.webId)?.measures.systolic.average;

test.each([
  ['before the outer folder was ever read', false],
  ['after it was read', true],
])('an entry for an inner folder with the copied key, %s', async (_, isKnown) => {
  if (isKnown) expect(systolicOf(await run(), alice)).toBe(131);
  const sealedKey = await sealedKeyOf(mallory, analyser, folderOf(alice));
  expect(sealedKey).not.toBe('');
  await announce(mallory, analyser, { url: innerOf(alice), sealedKey });
  await announce(mallory, analyser, { url: `${innerOf(alice)}bp_1.json.enc.ttl`, sealedKey });
  for (let time = 0; time < 2; time += 1) expect(systolicOf(await run(), alice)).toBe(131);
});

test.each(['old/', 'old/export.json.enc.ttl'])(
  'an entry for %s with a key of the stranger',
  async (name) => {
    await plantKey(mallory, analyser, `${folderOf(alice)}${name}`);
    for (let time = 0; time < 2; time += 1) expect(systolicOf(await run(), alice)).toBe(131);
  },
);

test('nor does it once the entry of the outer folder is gone', async () => {
  await run();
  const sealedKey = await sealedKeyOf(mallory, analyser, folderOf(alice));
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, '<a> <b> "c" .');
  await announce(mallory, analyser, { url: innerOf(alice), sealedKey });
  expect(systolicOf(await run(), alice)).toBe(131);
});

test('an inner folder that its owner shares with a key of its own counts', async () => {
  const [, , third] = weekly([0, 0, 0], [0, 0, 0], [137, 80, 60]);
  if (third === undefined) throw new Error('There are three.');
  const url = `${innerOf(alice)}bp_2.json.enc.ttl`;
  const content = { url, content: readingText(third), inheritFrom: innerOf(alice) };
  await writeEncryptedResources(alice.client, alice.pod, [content]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(alice.client, alice.pod, { urls: [innerOf(alice)], recipientWebId });
  const counted = (120 + 142 + 137) / 3;
  for (let time = 0; time < 2; time += 1) expect(systolicOf(await run(), alice)).toBe(counted);
});

test('a file counts whose own key a stranger puts into an entry for a folder of plain files around it', async () => {
  const anna = await createInitialisedPod(server);
  const [reading] = weekly([120, 80, 60]);
  if (reading === undefined) throw new Error('There is one.');
  const plain = { contentType: 'application/json' };
  await putDocument(
    anna.client,
    `${folderOf(anna)}plain.json.enc.ttl`,
    readingText(reading),
    plain,
  );
  const inner = `${innerOf(anna)}bp_1.json.enc.ttl`;
  const content = readingText({ ...reading, systolic: 140 });
  await writeEncryptedResources(anna.client, anna.pod, [{ url: inner, content }]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(anna.client, anna.pod, { urls: [folderOf(anna), inner], recipientWebId });
  expect(systolicOf(await run(), anna)).toBe(130);
  const sealedKey = await sealedKeyOf(mallory, analyser, inner);
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, '<a> <b> "c" .');
  await announce(mallory, analyser, { url: folderOf(anna), sealedKey });
  const document = await run();
  expect(document.pods.find(({ web_id }) => web_id === anna.pod.webId)).toMatchObject({
    files_read: 2,
    measures: { systolic: { average: 130 } },
  });
  await anna.close();
});
