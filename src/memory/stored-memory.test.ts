import { expect, test } from 'vitest';
import { unlockedPod } from '../../test/support/unlocked-pod.js';
import { createDocumentSeal, deriveDocumentKey } from '../pod/crypto/document-key.js';
import type { SolidAnswer, SolidClient } from '../solid/solid-client.js';
import { bodyDigest } from './document-version.js';
import { emptyMemory, type Memory } from './memory.js';
import { writeMemory } from './memory-format.js';
import { type Evidence, findDoubt, memoryUrl, openStoredMemory } from './stored-memory.js';

const url = 'https://pods.example/analyser/app/analyser/memory.txt';
const evidence = (version: number, hasSent = false): Evidence => ({
  note: { state: 'read', version, digest: version === 0 ? '' : 'noted' },
  hasSentFigures: () => Promise.resolve(hasSent),
});
const undigested: Evidence = { ...evidence(3), note: { state: 'read', version: 3, digest: '' } };
const damaged: Evidence = { ...evidence(0), note: { state: 'damaged', path: '/var/memory.json' } };

const stored = (version: number, digest = 'noted') => ({ version, digest });

test.each<[string, Parameters<typeof findDoubt>[1], Evidence, RegExp | null]>([
  ['the version that was noted', stored(3), evidence(3), null],
  [
    'another one with the same number',
    stored(3, 'other'),
    evidence(3),
    /t is another version 3 than/,
  ],
  ['a version that was noted without a digest', stored(3, 'any'), undigested, null],
  ['a newer one, of another machine', stored(4, 'new'), evidence(3, true), null],
  ['an older one', stored(2, 'old'), evidence(3), /t is older \(version 2\) than .* before \(3\)$/],
  ['none, and none was ever seen', 'absent', evidence(0), null],
  ['none beside a note', 'absent', evidence(1), /memory\.txt is gone$/],
  ['none beside a run that sent a figure', 'absent', evidence(0, true), /have been sent out \(/],
  ['one that does not open', 'shut', evidence(0), /does not open/],
  ['a note that is damaged', stored(3), damaged, /^\/var\/memory\.json is damaged$/],
])('[1.2] %s', async (_, found, known, expected) => {
  const doubt = await findDoubt(url, found, known);
  if (expected === null) expect(doubt).toBeNull();
  else expect(doubt).toMatch(expected);
});

const pod = await unlockedPod('https://pods.example/analyser/');
const nothing = evidence(0);
const claims = new Map([['a key', ['a Pod']]]);
const withheld = (why: string): Memory => ({ ...emptyMemory(), claims, withheld: why });

/** The Analyser's folder on a server: documents by address, and a version of each that rises with every write. */
function serverWith(how: { hasEtags?: boolean; refuses?: number } = {}) {
  const documents = new Map<string, { body: Buffer; version: number }>();
  const client: SolidClient = {
    async request(
      at,
      { method = 'GET', headers: sent = {}, body = '' } = {},
    ): Promise<SolidAnswer> {
      await Promise.resolve();
      const answer = { url: at, headers: {}, body: Buffer.alloc(0) };
      const there = documents.get(at);
      if (method === 'PUT') {
        const isOther =
          sent['if-match'] !== undefined && sent['if-match'] !== `"${there?.version}"`;
        const isThere = sent['if-none-match'] === '*' && there !== undefined;
        if (how.refuses !== undefined) return { ...answer, status: how.refuses };
        if (isOther || isThere) return { ...answer, status: 412 };
        documents.set(at, { body: Buffer.from(body), version: (there?.version ?? 0) + 1 });
        return { ...answer, status: 205 };
      }
      if (at.endsWith('/')) {
        if (documents.size === 0) return { ...answer, status: 404 };
        const contains = '<http://www.w3.org/ns/ldp#contains>';
        const members = [...documents.keys()].map((member) => `<${at}> ${contains} <${member}>.`);
        const type = { 'content-type': 'text/turtle' };
        return { ...answer, status: 200, headers: type, body: Buffer.from(members.join('\n')) };
      }
      if (there === undefined) return { ...answer, status: 404 };
      const headers = how.hasEtags === false ? {} : { etag: `"${there.version}"` };
      return { ...answer, status: 200, headers, body: there.body };
    },
    close: () => Promise.resolve(),
  };
  const put = (text: string, at = url) =>
    documents.set(at, { body: Buffer.from(text), version: (documents.get(at)?.version ?? 0) + 1 });
  const bodyAt = (at: string) => documents.get(at)?.body.toString();
  const now = () => new Date(Date.UTC(2026, 10, 29, 6, 5, 4, 3));
  /** A process of the Analyser. */
  const start = () => openStoredMemory(client, pod, now);
  return { client, documents, start, put, bodyAt };
}

/** A server with version 1 of a memory. */
async function storedOnce() {
  const how: { refuses?: number } = {};
  const server = serverWith(how);
  const process = server.start();
  const outcome = await process.write(await process.read(nothing), withheld('one'));
  return { ...server, how, process, outcome };
}

const found = (version: number): Evidence => ({
  ...nothing,
  note: { state: 'read', version, digest: '' },
});

test('of a memory that was never written nothing is known, and nothing is written by looking', async () => {
  const server = serverWith();
  expect(memoryUrl(pod)).toBe(url);
  expect(await server.start().read(nothing)).toMatchObject({
    memory: emptyMemory(),
    version: 0,
    isStored: false,
    text: null,
    unopened: null,
    notices: [],
    replaces: { digest: null, etag: null },
  });
  expect(server.documents.size).toBe(0);
});

test('[1.3][1.8] what one process writes, another reads, and a memory that did not change is not written', async () => {
  const { start, process, bodyAt, outcome } = await storedOnce();
  const digest = bodyDigest(bodyAt(url) ?? '');
  expect(outcome).toEqual({ written: { version: 1, digest } });
  const other = start();
  const read = await other.read(found(1));
  expect(read).toMatchObject({
    memory: withheld('one'),
    version: 1,
    isStored: true,
    unopened: null,
  });
  // What is unchanged is not opened again.
  expect((await other.read(found(1))).memory).toBe(read.memory);
  expect(await other.write(read, read.memory)).toEqual({ written: { version: 1, digest } });
  expect(bodyDigest(bodyAt(url) ?? '')).toBe(digest);
  expect(await other.write(read, withheld('two'))).toMatchObject({ written: { version: 2 } });
  // What the first has kept is no longer what is stored.
  expect(await process.read(found(1))).toMatchObject({ memory: withheld('two'), version: 2 });
  expect(await start().read(found(2))).toMatchObject({ memory: withheld('two'), version: 2 });
  // After `dispose` nothing opens, nor is what it has written still there.
  other.dispose();
  expect(await other.read(found(2))).toMatchObject({ isStored: false });
});

test('[1.2] a doubtful memory is withheld, written anew, and never counted back', async () => {
  const { start } = await storedOnce();
  const process = start();
  const read = await process.read(found(7));
  const why = `${url} is older (version 1) than the one seen before (7)`;
  expect(read).toMatchObject({ memory: withheld(why), version: 7, text: null, isStored: true });
  expect(await process.write(read, read.memory)).toMatchObject({ written: { version: 8 } });
  expect(await start().read(found(8))).toMatchObject({ memory: withheld(why), version: 8 });
  const spoilt = await process.read({ ...nothing, note: damaged.note });
  expect(spoilt).toMatchObject({ version: 8, memory: { withheld: '/var/memory.json is damaged' } });
});

test('[1.4][1.3] a memory is not written over that of somebody else, nor where the server refuses it', async () => {
  const { how, put, process, bodyAt } = await storedOnce();
  const read = await process.read(found(1));
  const write = () => process.write(read, withheld('two'));
  put('of somebody else');
  const changed = expect.stringMatching(/^somebody outside of this service has changed .*\.txt/);
  expect(await write()).toEqual({ written: null, reason: changed });
  how.refuses = 403;
  const refused = expect.stringMatching(/memory\.txt could not be written: .*403/);
  expect(await write()).toEqual({ written: null, reason: refused });
  expect(bodyAt(url)).toBe('of somebody else');
});

const folder = new URL('.', url).href;
const copy = `${folder}memory.20261129T060504003Z.txt`;

test.each([
  ['with an ETag', true, false, 0, null],
  ['without an ETag', false, false, 0, /has no ETag .* --confirm replaces it/],
  ['without an ETag, after a look at it', false, true, 0, null],
  ['beside two copies', true, false, 2, null],
  ['beside three copies', true, false, 3, /and 3 copies of earlier ones stand beside it/],
])(
  '[1.2][1.3] a document that does not open, %s, is copied before it is replaced, or stays',
  async (_, hasEtags, isConfirmed, copies, reason) => {
    const { start, put, bodyAt, documents } = serverWith({ hasEtags });
    put('damaged');
    // Neither is a copy.
    put('a', `${folder}memory.txt.bak`);
    put('b', `${folder}other.txt`);
    put('c', `${folder}memory.a.txt.old`);
    for (let each = 0; each < copies; each += 1) put('earlier', `${folder}memory.${each}00.txt`);
    const before = documents.size;
    const process = start();
    const read = await process.read(nothing);
    expect(read).toMatchObject({ isStored: false, version: 0, unopened: Buffer.from('damaged') });
    expect(read.memory.withheld).toMatch(/does not open/);
    const outcome = await process.write(read, read.memory, isConfirmed ? { isConfirmed } : {});
    if (reason === null) {
      expect(outcome).toMatchObject({ written: { version: 1 } });
      expect(bodyAt(copy)).toBe('damaged');
      expect(await start().read(found(1))).toMatchObject({ memory: read.memory, version: 1 });
    } else {
      expect(outcome).toEqual({ written: null, reason: expect.stringMatching(reason) });
      expect([bodyAt(url), documents.size]).toEqual(['damaged', before]);
    }
  },
);

test('a copy is named after the clock, beside the memory, whatever the server is called', async () => {
  const there = await unlockedPod('https://pods.txt.example/analyser/');
  const { client, put, documents } = serverWith();
  put('damaged', memoryUrl(there));
  const process = openStoredMemory(client, there);
  const read = await process.read(nothing);
  await process.write(read, read.memory);
  const beside = `${there.root}app/analyser/memory.`;
  const [name = ''] = [...documents.keys()].filter((each) => each !== memoryUrl(there));
  expect(name.slice(0, beside.length)).toBe(beside);
  expect(name.slice(beside.length)).toMatch(/^\d{8}T\d{9}Z\.txt$/);
});

test('a memory that is too large is not written', async () => {
  const { process, bodyAt } = await storedOnce();
  const before = bodyAt(url);
  const read = await process.read(found(1));
  // Sealing makes four bytes of three.
  const outcome = await process.write(read, withheld('x'.repeat(36 * 2 ** 20)));
  expect(outcome).toEqual({ written: null, reason: expect.stringMatching(/larger than 48 MB/) });
  expect(bodyAt(url)).toBe(before);
});

test.each([
  ['its version', `12\n${writeMemory(withheld('one'))}`, { isStored: true, version: 12 }],
  ['no version', `x\n${writeMemory(withheld('one'))}`, { isStored: false }],
  ['more than a version before it', `x12\n${writeMemory(withheld('one'))}`, { isStored: false }],
  ['more than a version behind it', `12x\n${writeMemory(withheld('one'))}`, { isStored: false }],
  ['a version of no memory', '12\n{}', { isStored: false }],
])(
  '[1.2] a document that was sealed with the key of its path, with %s, is read as such',
  async (_, text, expected) => {
    const { start, put } = serverWith();
    const seal = createDocumentSeal(deriveDocumentKey(pod.privateKey, 'app/analyser/memory.txt'));
    put(seal.seal(text, url));
    expect(await start().read(nothing)).toMatchObject(expected);
  },
);
