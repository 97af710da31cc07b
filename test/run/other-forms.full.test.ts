import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  agentRule,
  everyoneRule,
  ownerRule,
  type Rule,
  writeAcl,
} from '../../src/pod/access-control.js';
import { aclAddress } from '../../src/pod/addresses.js';
import type { SealedContent } from '../../src/pod/crypto/content-cipher.js';
import { buildEncryptedResource } from '../../src/pod/formats/encrypted-resource.js';
import { findKeysInUse } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents.js';
import { createContributor, plantKey, readingText, weekly } from '../support/contributor.js';
import { encryptAt } from '../support/encrypt-at.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryOf } from '../support/memory-of.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns } from '../support/test-runs.js';

/** Encrypted files that their owner, or a newer app, has written in another form under the same name, for a while. */
const server = sharedSolidServer();
const readings = weekly([140, 90, 70], [150, 94, 74]);

const analyser = await createInitialisedPod(server);
const [alice, bob] = await Promise.all([
  createContributor(server, analyser, readings),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
/** Alice's first file. */
const url = alice.urls[0] ?? '';
const runs = await startTestRuns(server, analyser);
expect(await runs.ask(alice)).toMatchObject({ files_read: 2, pod_count: 2 });

const authenticated = ['http://www.w3.org/ns/auth/acl#AuthenticatedAgent'];
const { classes: everybody } = everyoneRule(url, ['read']);

/** Beside the owner and the Analyser. */
async function openTo(...others: Rule[]): Promise<void> {
  const own = [ownerRule(url, alice.pod.webId), agentRule(url, analyser.pod.webId, ['read'])];
  await putDocument(alice.client, aclAddress(url), writeAcl(url, [...own, ...others]));
}

/** What the app does: the rules, and the plaintext under the old name and with the old type. */
async function shareInPlaintext(classes: string[]): Promise<void> {
  await openTo({ ...everyoneRule(url, ['read']), classes });
  await putDocument(alice.client, url, plaintext());
}

function plaintext(): string {
  const [first] = readings;
  return first === undefined ? '' : readingText(first);
}

/** Taking it back encrypts in place, with the same key and an IV of zeros. */
async function encryptAgain(): Promise<void> {
  const key = (await findKeysInUse(alice.client, alice.pod, [url])).get(url) ?? randomBytes(0);
  await putDocument(alice.client, url, sealed(encryptAt(Buffer.alloc(16), plaintext(), key)));
  await openTo();
}

const sealed = (content: SealedContent) =>
  buildEncryptedResource(url, alice.pod.root, { content, inheritKeyFrom: null });

const sharesOf = async ({ pod }: InitialisedPod) =>
  (await memoryOf(runs)).memory.pods.get(pod.root)?.shares;

test('[T11][4.4] a file that its owner shares with everybody is said to be just that, and ends no share', async () => {
  await shareInPlaintext(everybody);
  const { report, document } = await runs.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', files_read: 1, files_skipped: 1 });
  expect(report.message).toContain(
    '1 file: it is not encrypted any more, because its owner shares it with everybody.',
  );
  expect(document.warnings).toContain(
    `${url}: it is not encrypted any more, because its owner shares it with everybody (file skipped)`,
  );
  // That was her doing, so what is left counts, and no figure of an earlier day.
  expect(document.cohort).toMatchObject({ pod_count: 2, included_pod_count: 2 });
  expect(document.cohort).not.toHaveProperty('carried_pod_count');
  expect((await sharesOf(alice))?.size).toBe(2);

  await encryptAgain();
  expect(await runs.ask(alice)).toMatchObject({ files_read: 2, files_skipped: 0 });
});

test('one that all who are logged in may read counts as any other, and its key stays known', async () => {
  await shareInPlaintext(authenticated);
  expect(await runs.ask(alice)).toMatchObject({ files_read: 2, files_skipped: 0 });
  expect((await sharesOf(alice))?.get(url)?.ownKey).toHaveLength(32);

  // A stranger removes the entry meanwhile.
  await putDocument(bob.client, analyser.pod.documents.sharedKeys, '');
  await encryptAgain();
  expect(await runs.ask(alice)).toMatchObject({ files_read: 2, files_skipped: 0 });
});

test('[4.4] another cipher is told as such in run and reply, and ends no share', async () => {
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12));
  const data = Buffer.concat([cipher.update(plaintext()), cipher.final(), cipher.getAuthTag()]);
  const iv = randomBytes(12).toString('base64');
  await putDocument(alice.client, url, sealed({ iv, data: data.toString('base64') }));
  const { report, document } = await runs.run({ caller: alice.pod.webId });
  const words = 'encrypted in a way that this version does not know';
  expect(report.message).toContain(`1 file: it is ${words}.`);
  const warning = `${url}: it is ${words} (file skipped)`;
  expect(document.warnings).toContain(warning);
  expect((await sharesOf(alice))?.size).toBe(2);

  // Neither does a form of which nothing at all is known.
  await putDocument(alice.client, url, `<> <https://example.org/sealed> "${'A'.repeat(64)}".`);
  expect((await runs.ask(alice)).message).toContain(`1 file: it is ${words}.`);
  await encryptAgain();
  expect(await runs.ask(alice)).toMatchObject({ files_read: 2, files_skipped: 0 });
});

test('[3.4] a file that is shared by itself under another name is in view and skipped, and is not asked for', async () => {
  const plain = url.replace('.enc.ttl', '');
  await plantKey(alice, analyser, plain);
  const { document, report } = await runs.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', files_read: 2, files_skipped: 1 });
  expect(report.message).toContain('1 file: only files named ….enc.ttl are read');
  expect(document.warnings.join()).toContain(`${plain}: only files named`);
});
