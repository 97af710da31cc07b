import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { encryptContent } from '../../src/pod/crypto/content-cipher.js';
import {
  aclAddress,
  everyoneRule,
  ownerRule,
  writeAcl,
} from '../../src/pod/documents/access-control-list.js';
import { buildEncryptedResource } from '../../src/pod/documents/encrypted-resource.js';
import { shareId } from '../../src/pod/documents/shared-keys.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import {
  allowReading,
  type Contributor,
  createContributor,
  weekly,
} from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns, type TestRuns } from '../support/test-runs.js';
import { type Attacker, createAttacker, type PlantedEntry, poison } from './attacker.js';

/**
 * Whoever adds to the Analyser's inbox, with a Pod of their own, changes nothing of what is
 * said about other Pods; the one exception, files_skipped, has a test of its own.
 */
const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: Contributor;
let bob: Contributor;
let mallory: InitialisedPod;
let attacker: Attacker;
let runs: TestRuns;
let before: ResultsDocument;
let inbox: Buffer;
/** Where no request may ever arrive. */
let trap: Server;
let trapPort: number;
let trapped = 0;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66])),
    createContributor(server, analyser, weekly([110, 70, null])),
    createInitialisedPod(server),
  ]);
  attacker = await createAttacker(mallory, analyser);
  trap = createServer((_, answer) => {
    trapped += 1;
    answer.writeHead(302, { location: alice.urls[0] ?? '' }).end();
  }).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const address = trap.address();
  trapPort = typeof address === 'object' ? (address?.port ?? 0) : 0;
  runs = await startTestRuns(server, analyser, figuresOnly);
  before = await run();
  inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;
});
afterAll(async () => {
  trap.close();
  await runs.close();
  await Promise.all([analyser, alice, bob, mallory].map((one) => one.close()));
});
afterEach(() => putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox));

async function run(): Promise<ResultsDocument> {
  return (await runs.run({ caller: alice.pod.webId })).document;
}

const dataOf = (owner: InitialisedPod) => `${owner.pod.documents.app}data/blood_pressure/`;
const podsOf = ({ pods }: ResultsDocument) =>
  pods.filter(({ web_id }) => web_id !== mallory.pod.webId);

/** Nobody's entry differs and no Pod comes or goes; what the cohort is made of stays too. */
function expectUnchanged(after: ResultsDocument): void {
  expect(after.pods).toEqual(before.pods);
  expect(after.cohort).toEqual(before.cohort);
}

describe('what leads elsewhere', () => {
  test('is never asked for and changes nothing', async () => {
    const path = 'alice/app/data/blood_pressure/bp_2026-02-01T08-00-00.json.enc.ttl';
    const { port } = new URL(server.baseUrl);
    const urls = [
      `http://127.0.0.1:${trapPort}/${path}`,
      `http://localhost:${trapPort}/${path}`,
      `http://[::1]:${trapPort}/${path}`,
      `http://0x7f000001:${trapPort}/${path}`,
      `http://2130706433:${trapPort}/${path}`,
      `http://127.1:${trapPort}/${path}`,
      `http://127.0.0.1:${port}/${path}`,
      `http://169.254.169.254/${path}`,
      `http://[fe80::1]/${path}`,
      `https://localhost:${port}/${path}`,
      `http://localhost:${port}@127.0.0.1:${trapPort}/${path}`,
      `http://me:secret@localhost:${port}/${path}`,
      `http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${trapPort}/${path}`,
      `http://lоcalhost:${trapPort}/${path}`,
      `http://localhost。:${trapPort}/${path}`,
      `ftp://localhost:${trapPort}/${path}`,
      `file:///etc/app/data/blood_pressure/passwd.json.enc.ttl`,
      `//127.0.0.1:${trapPort}/${path}`,
      `http://localhost:${trapPort}\\@localhost:${port}/${path}`,
      `${server.baseUrl}${path}?to=http://127.0.0.1:${trapPort}`,
      `${server.baseUrl}${path}#x`,
      ` http://127.0.0.1:${trapPort}/${path}`,
    ];
    await attacker.plant(urls.map((url) => ({ url })));
    const after = await run();
    expectUnchanged(after);
    expect(trapped).toBe(0);
    expect(after.warnings.join('\n')).toContain('left out');
    expect(after.warnings.join('\n')).toContain('names no address of a resource');
  });
});

describe('what is not the owner’s to share', () => {
  test('the Analyser’s own documents and everybody’s inbox are nobody’s data', async () => {
    const { documents, root } = analyser.pod;
    const planted = `${alice.pod.documents.sharedFolder}data/blood_pressure/planted.json.enc.ttl`;
    await putDocument(mallory.client, planted, poison, { contentType: 'application/json' });
    await attacker.plant([
      { url: documents.encKeys },
      { url: documents.indKeys },
      { url: documents.sharedKeys },
      { url: root },
      { url: `${dataOf(analyser)}x.json.enc.ttl` },
      { url: `${documents.sharedFolder}data/blood_pressure/x.json.enc.ttl` },
      { url: planted },
      { url: aclAddress(alice.urls[0] ?? '') },
      { url: alice.pod.documents.encKeys },
      { url: alice.pod.webId },
    ]);
    expectUnchanged(await run());
  });

  test('a Pod within a Pod takes nobody’s name', async () => {
    const inner = `${mallory.pod.root}${new URL(alice.pod.root).pathname.slice(1)}app/data/blood_pressure/x.json.enc.ttl`;
    await putDocument(mallory.client, inner, poison, { contentType: 'application/json' });
    await allowReading(mallory, analyser, inner);
    await attacker.plant([{ url: inner }]);
    expectUnchanged(await run());
  });
});

describe('entries about a file that its owner shared', () => {
  const key = randomBytes(32);

  test('hundreds of its spellings are one file', async () => {
    const [url = ''] = alice.urls;
    const name = url.slice(url.lastIndexOf('/') + 1);
    const encode = (text: string, index: number) =>
      Array.from(text, (one, at) => {
        const code = `%${one.charCodeAt(0).toString(16)}`;
        return at % 12 === index % 12 ? (index % 2 === 0 ? code : code.toUpperCase()) : one;
      });
    const spellings = Array.from(
      { length: 240 },
      (_, index) =>
        `${dataOf(alice)}${'./'.repeat(index % 7)}${index % 3 === 0 ? 'x/../' : ''}${encode(name, index).join('')}`,
    );
    const { origin } = new URL(url);
    spellings.push(url.replace(origin, origin.toUpperCase()), url.replace('/app/', '//app/'));
    await attacker.plant(spellings.map((one) => ({ url: one, key })));
    expectUnchanged(await run());
  });

  test('wrong keys beside the right one, in every form, leave the right one to be used', async () => {
    const wrong: PlantedEntry[] = alice.urls.flatMap((url) => [
      { url, key: randomBytes(32) },
      { url, key: randomBytes(32) },
      { url, id: 'another-id' },
      { url, id: shareId(url, alice.pod.webId) },
      { url: dataOf(alice) },
      { url: alice.pod.documents.app },
      { url: alice.pod.root },
    ]);
    const [url = ''] = alice.urls;
    // A second address, and somebody else's, on the very subject of the genuine entry.
    wrong.push({ url: bob.urls[0] ?? '', id: shareId(url, analyser.pod.webId) });
    await attacker.plant(wrong);
    expectUnchanged(await run());
  });
});

describe('a document that was spoilt, which could have been emptied as well', () => {
  let remembering: TestRuns;
  beforeAll(async () => {
    remembering = await startTestRuns(server, analyser, { output: { render_charts: false } });
    await remembering.run({ caller: alice.pod.webId });
  });
  afterAll(() => remembering.close());

  test.each([
    ['brackets without end', '('.repeat(150_000)],
    ['a text that never ends', '<x> <y> """'],
    ['a statement that never ends', '<x> <y> ['],
    ['bytes of anything', '\u0000\ufffd}{<<>> @prefix : <'],
  ])('%s, before and behind all entries', async (_, bomb) => {
    await attacker.rewriteInbox(bomb, bomb);
    const { document } = await remembering.run({ caller: alice.pod.webId });
    expectUnchanged(document);
    expect(document.warnings).toEqual([
      expect.stringMatching(
        /^The inbox could not be read\. Shares that were read before still count; new shares do not yet: .*shared-keys\.ttl is not a Turtle document: /,
      ),
    ]);
  });

  test('useless statements beside the entries change nothing, and too many spoil it', async () => {
    const useless = '_:b <p> _:c .\n<s> <p> "o", "p", 7 .\n'.repeat(50_000);
    await attacker.rewriteInbox('[] <p> [] .\n'.repeat(20_000), useless);
    expectUnchanged(await run());
    await attacker.rewriteInbox('', useless.repeat(5));
    expectUnchanged((await remembering.run({ caller: alice.pod.webId })).document);
  });
});

describe('the attacker’s own Pod', () => {
  test('files at which the server itself stumbles hold nobody else up', async () => {
    const urls = Array.from(
      { length: 12 },
      (_, index) => `${dataOf(mallory)}hang_${index}.json.enc.ttl`,
    );
    const context = `http://127.0.0.1:${trapPort}/context`;
    for (const [index, url] of urls.entries()) {
      const body = index % 2 === 0 ? '{{{' : JSON.stringify({ '@context': context, a: 'b' });
      await putDocument(mallory.client, url, body, { contentType: 'application/ld+json' });
      await allowReading(mallory, analyser, url);
    }
    await attacker.plant(urls.map((url) => ({ url })));
    expectUnchanged(await run());
  });

  test('a file of readings counts for that Pod alone', async () => {
    const url = `${dataOf(mallory)}own.json.enc.ttl`;
    await putDocument(mallory.client, url, poison, { contentType: 'application/json' });
    await allowReading(mallory, analyser, url);
    await attacker.plant([{ url }]);
    const after = await run();
    expect(podsOf(after)).toEqual(before.pods);
    expect(after.cohort.pod_count).toBe(3);
    await mallory.client.request(url, { method: 'DELETE' });
  });
});

describe('the one thing that others can raise', () => {
  test('files_skipped counts entries about files that do not open, and nothing else moves', async () => {
    // Alice lets everybody write to one folder of her data, and everybody read another.
    const [dropBox, openBox] = [`${dataOf(alice)}drop/`, `${dataOf(alice)}open/`];
    for (const [folder, modes] of [
      [dropBox, ['read', 'write'] as const],
      [openBox, ['read'] as const],
    ] as const) {
      const rules = [ownerRule(folder, alice.pod.webId), everyoneRule(folder, modes)];
      await putDocument(alice.client, `${folder}mine.txt`, 'x', { contentType: 'text/plain' });
      await putDocument(alice.client, aclAddress(folder), writeAcl(folder, rules));
    }
    const key = randomBytes(32);
    const encrypted = `${dropBox}bp_2026-02-01T08-00-00.json.enc.ttl`;
    const content = encryptContent(poison, key);
    const document = buildEncryptedResource(encrypted, alice.pod.root, {
      content,
      inheritKeyFrom: null,
    });
    await putDocument(mallory.client, encrypted, document);
    const plain = `${dropBox}planted.json.enc.ttl`;
    await putDocument(mallory.client, plain, poison, { contentType: 'application/json' });
    const published = `${openBox}published.json.enc.ttl`;
    await putDocument(alice.client, published, poison, { contentType: 'application/json' });
    const never = `${dataOf(alice)}bp_1999-01-01T00-00-00.json.enc.ttl`;
    await attacker.plant([
      { url: encrypted, key },
      { url: plain },
      { url: published },
      { url: never },
    ]);

    const after = await run();
    const skipped = 4;
    expect(after.pods).toEqual(
      before.pods.map((pod) =>
        pod.web_id === alice.pod.webId ? { ...pod, files_skipped: skipped } : pod,
      ),
    );
    expect(after.cohort).toEqual(before.cohort);
    expect(after.warnings.filter((one) => one.includes('(file skipped)'))).toHaveLength(skipped);
  });

  test('a Pod of which nothing can be read is no contributor, whatever is planted about it', async () => {
    const outsider = `${server.baseUrl}outsider-${process.pid}/app/data/blood_pressure/x.json.enc.ttl`;
    await attacker.plant([{ url: outsider }]);
    expectUnchanged(await run());
  });
});
