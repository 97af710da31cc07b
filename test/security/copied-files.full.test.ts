import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { sealValue } from '../../src/pod/crypto/rsa.js';
import { shareId, shareStatements } from '../../src/pod/formats/shared-keys.js';
import { vocabulary as v } from '../../src/pod/formats/vocabulary.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { findRecipientPod } from '../../src/pod/sharing/share-entries.js';
import { patchDocument, putDocument } from '../../src/solid/documents.js';
import { readTurtle } from '../../src/solid/turtle.js';
import {
  allowReading,
  createContributor,
  plantKey,
  readingText,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { removeMemory } from '../support/memory-of.js';
import { operate } from '../support/operator.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * Whoever gets hold of a ciphertext puts a copy into a Pod of their own, and the owner's sealed key,
 * which everybody can read in the inbox, into an entry about the copy: their own result would show what is in it.
 */
const server = sharedSolidServer();
let runs: TestRuns;

const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([181, 121, 61]));
const mallory = await createContributor(server, analyser, weekly([110, 70, 50]));
const inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;

beforeEach(async () => {
  runs = await startTestRuns(server, analyser, noCharts);
});
afterEach(async () => {
  await removeMemory(analyser);
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox);
});

const run = async (): Promise<ResultsDocument> =>
  (await runs.run({ caller: mallory.pod.webId })).document;
const entryOf = ({ pods }: ResultsDocument, { pod }: InitialisedPod) =>
  pods.find(({ web_id }) => web_id === pod.webId);
const copyAddress = () => `${mallory.pod.documents.app}data/blood_pressure/copy.json.enc.ttl`;

/** As the storage operator, a backup or an old grant would give it away. */
async function ciphertextOf(url: string, owner: InitialisedPod): Promise<string> {
  return (await owner.client.request(url)).body.toString();
}

/** As everybody can read it in the inbox. */
async function sealedKeyOf(url: string): Promise<string> {
  const { sharedKeys } = analyser.pod.documents;
  const document = await readTurtle((await mallory.client.request(sharedKeys)).body, sharedKeys);
  const subject = `${v.resourceId}${shareId(url, analyser.pod.webId)}`;
  return document.literals(subject, v.sharedKey)[0] ?? '';
}

/** An entry about the copy, with a key that its author need not know. */
async function announceCopy(key: string): Promise<void> {
  const { webId, appDir, documents } = analyser.pod;
  const recipient = await findRecipientPod(mallory.client, webId, appDir);
  const seal = (text: string) => sealValue(text, recipient.publicKey) ?? '';
  const values = { path: seal(copyAddress()), accessList: seal('read'), key };
  const insert = shareStatements(shareId(copyAddress(), webId), values);
  await patchDocument(mallory.client, documents.sharedKeys, { insert });
}

async function plantCopy(ciphertext: string, sealedKey: string): Promise<void> {
  await putDocument(mallory.client, copyAddress(), ciphertext);
  await allowReading(mallory, analyser, copyAddress());
  await announceCopy(sealedKey);
}

const original = (): string => alice.urls[0] ?? '';

/** The app's encryption does not show changes: this makes another number of the first one. */
function flipBit(ciphertext: string): string {
  const [reading] = weekly([181, 121, 61]);
  const position = reading === undefined ? -1 : readingText(reading).indexOf('181') + 1;
  return ciphertext.replace(/(?<=encData> ")[^"]+/, (text) => {
    const bytes = Buffer.from(text, 'base64');
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    return bytes.toString('base64');
  });
}

/** Of this text nothing but a part of a reading would be left. */
const truncate = (ciphertext: string) =>
  ciphertext.replace(/(?<=encData> ")[^"]+/, (text) =>
    Buffer.from(text, 'base64').subarray(0, 32).toString('base64'),
  );

/** By changing bytes of the copy, one could guess its text digit by digit, if the reply told which guess is a reading. */
test('[T6][8.6] what the reply says of a copy does not depend on what it holds', async () => {
  await run();
  const told = new Set<string>();
  for (const change of [(text: string) => text, flipBit, truncate]) {
    await plantCopy(change(await ciphertextOf(original(), alice)), await sealedKeyOf(original()));
    const { report } = await runs.run({ caller: mallory.pod.webId });
    told.add(JSON.stringify({ ...report, run_id: '', generated_at: '' }));
  }
  expect([...told]).toEqual([
    expect.stringContaining(
      'was used by another Pod before; if its owner has moved, the operator of the service can',
    ),
  ]);
});

/** Nobody but the operator can tell whose files they are. */
test('[T8] somebody who moved to another Pod counts there again after the forget that the warning names', async () => {
  const before = await createContributor(server, analyser, weekly([120, 80, 60]));
  const after = await createInitialisedPod(server);
  expect(entryOf(await run(), before)?.files_read).toBe(1);
  // The same ciphertext in another Pod, shared with the same key.
  const [moved = ''] = before.urls;
  const keys = await findResourceKeys(before.client, before.pod, before.urls);
  const url = moved.replace(before.pod.root, after.pod.root);
  await putDocument(after.client, url, await ciphertextOf(moved, before));
  await allowReading(after, analyser, url);
  await plantKey(after, analyser, url, keys.get(moved));
  await before.client.request(moved, { method: 'DELETE' });

  // The keys are still those of the old Pod, also after its shares have ended and it was forgotten.
  for (const refused of [await run(), await run()]) {
    expect(entryOf(refused, after)).toBeUndefined();
    const about = `Files of ${after.pod.root} do not count`;
    const warning = refused.warnings.find((one) => one.startsWith(about));
    const command = `forget ${before.pod.webId} --keys-to ${after.pod.webId}`;
    expect(warning).toContain(`run the mode forget: ${command}`);
  }
  const keysTo = ['--keys-to', after.pod.webId];
  expect(await operate(runs, analyser, 'forget', before.pod.webId, ...keysTo)).toMatchObject({
    code: 0,
    out: expect.stringContaining('keys moved        1:'),
  });
  const settled = await run();
  expect(entryOf(settled, after)?.files_read).toBe(1);
  expect(settled.warnings.join()).not.toContain('do not count');
});
