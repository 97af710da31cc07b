import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encryptContent } from '../../src/pod/crypto/content-cipher.js';
import {
  aclAddress,
  agentRule,
  everyoneRule,
  ownerRule,
  type Rule,
  writeAcl,
} from '../../src/pod/documents/access-control-list.js';
import { buildEncryptedResource } from '../../src/pod/documents/encrypted-resource.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import {
  type Contributor,
  createContributor,
  readingAddress,
  readingsFolder,
  readingText,
  shareFolder,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns, type TestRuns } from '../support/test-runs.js';
import { type Attacker, createAttacker, poison } from './attacker.js';

/** Whoever adds entries about files that the Analyser can read for other reasons changes nothing. */
const server = sharedSolidServer();
let analyser: InitialisedPod;
/** Shares her folder. */
let alice: InitialisedPod;
/** Shares two readings, in a folder that every stranger with a login may write to. */
let bob: Contributor;
let mallory: InitialisedPod;
let attacker: Attacker;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob, mallory] = await Promise.all([
    createInitialisedPod(server),
    createContributor(server, analyser, weekly([110, 70, 60], [112, 72, 62])),
    createInitialisedPod(server),
  ]);
  const inheritFrom = readingsFolder(alice);
  const inherited = weekly([120, 80, 60], [130, 90, 70]).map((reading) => ({
    url: readingAddress(alice, reading.timestamp),
    content: readingText(reading),
    inheritFrom,
  }));
  const deeper = {
    url: `${readingsFolder(alice)}old/bp_1.json.enc.ttl`,
    content: poison,
    inheritFrom,
  };
  await writeEncryptedResources(alice.client, alice.pod, [...inherited, deeper]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(alice.client, alice.pod, { urls: [readingsFolder(alice)], recipientWebId });
  attacker = await createAttacker(mallory, analyser);
  runs = await startTestRuns(server, analyser, figuresOnly);
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, alice, bob, mallory].map((one) => one.close()));
});

function everyLoginRule(target: string, modes: Parameters<typeof everyoneRule>[1]): Rule {
  const classes = ['http://www.w3.org/ns/auth/acl#AuthenticatedAgent'];
  return { ...everyoneRule(target, modes), classes };
}

const NAME = 'bp_2026-02-01T08-00-00.json.enc.ttl';

/** As it could have been made by its owner, and with a key that the attacker holds. */
async function plantFile(owner: InitialisedPod): Promise<void> {
  const url = `${readingsFolder(owner)}${NAME}`;
  const key = randomBytes(32);
  const content = encryptContent(poison, key);
  const body = buildEncryptedResource(url, owner.pod.root, { content, inheritKeyFrom: null });
  const { status, headers } = await mallory.client.request(readingsFolder(owner), {
    method: 'POST',
    headers: { 'content-type': 'text/turtle', slug: NAME },
    body,
  });
  expect([status, headers['location']]).toEqual([201, url]);
  await attacker.plant([{ url, key }]);
}

async function podOf({ pod }: InitialisedPod) {
  const { document } = await runs.run({ caller: null });
  return document.pods.find(({ web_id }) => web_id === pod.webId);
}

test('below a shared folder only what it lists counts, whatever else the inbox names', async () => {
  const before = await podOf(alice);
  expect(before).toMatchObject({
    files_read: 2,
    files_skipped: 0,
    measures: { systolic: { average: 125 } },
  });
  const plain = { contentType: 'application/json' };
  const beside = [
    `${readingsFolder(alice)}notes.txt`,
    `${readingsFolder(alice)}old/export.json.enc.ttl`,
  ];
  for (const url of beside) await putDocument(alice.client, url, poison, plain);
  const deeper = `${readingsFolder(alice)}old/bp_1.json.enc.ttl`;
  await attacker.plant([...beside, deeper].map((url) => ({ url })));
  expect(await podOf(alice)).toEqual({ ...before, files_skipped: 2 });
});

test('who lets all who are logged in write lets them add readings, and the Analyser says so to nobody else', async () => {
  const folder = readingsFolder(bob);
  const rules = [
    ownerRule(folder, bob.pod.webId),
    agentRule(folder, analyser.pod.webId, ['read']),
    everyLoginRule(folder, ['read', 'append', 'write']),
  ];
  await putDocument(bob.client, aclAddress(folder), writeAcl(folder, rules));
  await plantFile(bob);
  expect(await runs.ask(bob)).toMatchObject({ observation_count: 3, files_skipped: 0 });
  // With everybody in the place of every login, what a stranger adds counts for nobody.
  const open = [...rules.slice(0, 2), everyoneRule(folder, ['read', 'append', 'write'])];
  await putDocument(bob.client, aclAddress(folder), writeAcl(folder, open));
  expect(await runs.ask(bob)).toMatchObject({
    status: 'COMPLETED',
    observation_count: 2,
    files_read: 2,
    files_skipped: 1,
    message: expect.stringContaining('may have been put there by others'),
  });
});

test('in a shared folder into which others may put files the key of the folder opens none of them', async () => {
  const carol = await createInitialisedPod(server);
  const folder = await shareFolder(carol, analyser, weekly([120, 80, 60]));
  // Files that are put there can be read by the Analyser, and by nobody changed.
  const rules = [
    ownerRule(folder, carol.pod.webId),
    agentRule(folder, analyser.pod.webId, ['read']),
    { ...everyLoginRule(folder, ['append', 'write']), default: [] },
  ];
  await putDocument(carol.client, aclAddress(folder), writeAcl(folder, rules));
  const { document, report } = await runs.run({ caller: carol.pod.webId });
  expect(report).toMatchObject({ status: 'NO_DATA', files_read: 0 });
  expect(document.warnings.join()).toContain(
    `${folder}: others than its owner may write to it, perhaps, so its key opens nothing`,
  );
  await carol.close();
});
