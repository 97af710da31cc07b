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
import { putDocument } from '../../src/solid/documents/write-document.js';
import {
  type Contributor,
  createContributor,
  readingsFolder,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns, type TestRuns } from '../support/test-runs.js';
import { type Attacker, createAttacker, poison } from './attacker.js';

/** What strangers may put into a folder that its owner opened to them. */
const server = sharedSolidServer();
let analyser: InitialisedPod;
/** Shares two readings, in a folder that every stranger with a login may write to. */
let bob: Contributor;
let mallory: InitialisedPod;
let attacker: Attacker;
let runs: TestRuns;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [bob, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([110, 70, 60], [112, 72, 62])),
    createInitialisedPod(server),
  ]);
  attacker = await createAttacker(mallory, analyser);
  runs = await startTestRuns(server, analyser, figuresOnly);
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, bob, mallory].map((one) => one.close()));
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
