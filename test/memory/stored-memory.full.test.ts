import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { emptyMemory, type Memory } from '../../src/memory/memory.js';
import { MOST_SEALED_BYTES, writeMemory } from '../../src/memory/memory-format.js';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { rekeyPod } from '../support/rekeyed-pod.js';
import { folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { memoryOf, namesIn, noted, nothingKnown, startProcess } from './memory-support.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
});

const start = () => startProcess(server, analyser);

/** A process that has written a first memory. */
async function startKnown() {
  const memory = start();
  await memory.write(await memory.read(nothingKnown), memoryOf('alice'));
  return memory;
}

test('looking for a memory writes nothing, and where there is none it is empty', async () => {
  const folder = folderOfPod(analyser.pod.root);
  const before = await takeSnapshot(folder);
  const found = await start().read(nothingKnown);
  expect(found).toMatchObject({ memory: emptyMemory(), version: 0, text: null, isStored: false });
  expect(await takeSnapshot(folder)).toEqual(before);
});

test('[1.8] what one process wrote another reads, with the same digests', async () => {
  const [one, other] = [start(), start()];
  const memory = memoryOf('alice', 'bob');
  const found = await one.read(nothingKnown);
  expect(await one.write(found, memory)).toMatchObject({ written: { version: 1 } });
  const read = await other.read(noted(1));
  expect(read).toMatchObject({ memory, version: 1, text: writeMemory(memory), isStored: true });
  expect(read.keyedDigest('root', 'alice')).toEqual(found.keyedDigest('root', 'alice'));
  expect(read.keyedDigest('root', 'alice')).not.toEqual(read.keyedDigest('root', 'bob'));
  expect(await other.write(read, memoryOf('carol'))).toMatchObject({ written: { version: 2 } });
  expect(namesIn(await one.read(noted(1)))).toEqual(['carol']);
});

test('the memory is sealed, in a document that nobody else may read', async () => {
  const memory = await startKnown();
  const { body } = await analyser.client.request(memory.url);
  expect(body.toString()).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(Buffer.from(body.toString(), 'base64').toString('latin1')).not.toContain('alice');
  expect((await fetch(memory.url)).status).toBe(401);
});

test('[1.3] of two first memories that are written at the same time, one is stored', async () => {
  const [one, other] = [start(), start()];
  const found = [await one.read(nothingKnown), await other.read(nothingKnown)] as const;
  const outcomes = await Promise.all([
    one.write(found[0], memoryOf('alice')),
    other.write(found[1], memoryOf('bob')),
  ]);
  expect(outcomes.filter(({ written }) => written !== null)).toHaveLength(1);
  const stored = outcomes[0].written === null ? 'bob' : 'alice';
  const [again, andAgain] = [await one.read(nothingKnown), await other.read(nothingKnown)];
  expect([namesIn(again), namesIn(andAgain)]).toEqual([[stored], [stored]]);
  expect(again.keyedDigest('root', '')).toEqual(andAgain.keyedDigest('root', ''));
});

test('[1.3] whoever writes outside of the lock is told, and nothing is replaced', async () => {
  const [one, other] = [await startKnown(), start()];
  const [mine, theirs] = [await one.read(noted(1)), await other.read(noted(1))];
  // Two versions within a second have one ETag on this server.
  await setTimeout(1100);
  expect(await other.write(theirs, memoryOf('alice', 'bob'))).toMatchObject({
    written: { version: 2 },
  });
  expect(await one.write(mine, memoryOf('alice', 'carol'))).toMatchObject({
    written: null,
    reason: expect.stringContaining('somebody outside of this service has changed'),
  });
  expect(namesIn(await one.read(noted(2)))).toEqual(['alice', 'bob']);
});

/** The same Analyser, started anew with the security key. */
async function restart(securityKey: string) {
  const { webId, appDir } = analyser.pod;
  const pod = await unlockPod(analyser.client, { webId, appDir, securityKey });
  return startProcess(server, { ...analyser, pod });
}

test.each<[string, 1 | 2]>([
  ['derivation 1 is replaced by 2', 1],
  ['there is a new security key', 2],
])(
  '[1.10] %s: the memory opens as before, for a running and for a new process',
  async (_, version) => {
    analyser = await createInitialisedPod(server, { keyVersion: version });
    const running = await startKnown();
    const before = await running.read(noted(1));
    const securityKey = version === 1 ? analyser.securityKey : 'another security key';
    await rekeyPod(analyser, securityKey);
    expect(await running.read(noted(1))).toMatchObject({ memory: before.memory, isStored: true });
    expect(await running.write(await running.read(noted(1)), memoryOf('bob'))).toMatchObject({
      written: { version: 2 },
    });
    const restarted = await restart(securityKey);
    const after = await restarted.read(noted(2));
    expect(namesIn(after)).toEqual(['bob']);
    expect(after.memory.withheld).toBeNull();
    expect(after.keyedDigest('root', 'alice')).toEqual(before.keyedDigest('root', 'alice'));
  },
);

test('no document keeps the key of the memory, so a rewritten one loses nothing', async () => {
  const running = await startKnown();
  const { indKeys } = analyser.pod.documents;
  const { body } = await analyser.client.request(indKeys);
  expect(body.toString()).not.toContain('memory.txt');
  await analyser.client.request(indKeys, { method: 'DELETE' });
  for (const memory of [running, start()]) {
    expect(await memory.read(noted(1))).toMatchObject({ version: 1, isStored: true });
  }
});

/** A memory of one Pod with so many files. */
function memoryWith(files: number): Memory {
  const root = 'https://pods.example/many/';
  const shares = Array.from({ length: files }, (_, index) => {
    const url = `${root}app/data/blood_pressure/bp_${index}.json.enc.ttl`;
    return { url, ownKey: randomBytes(32), missingOn: [] };
  });
  const pod = {
    root,
    shares: new Map(shares.map((share) => [share.url, share])),
    folders: new Map(),
    sums: null,
  };
  return { ...emptyMemory(), pods: new Map([[root, pod]]) };
}

test('a memory of 48 MB is written and read; a larger one is not written, and nothing is left out of it', async () => {
  const bytesOf = (files: number) => Buffer.byteLength(writeMemory(memoryWith(files)));
  const perFile = (bytesOf(2_000) - bytesOf(1_000)) / 1_000;
  const sealedFiles = MOST_SEALED_BYTES / ((perFile * 4) / 3);
  const large = memoryWith(Math.floor(0.95 * sealedFiles));
  const memory = start();
  const before = await memory.read(nothingKnown);
  const refused = await memory.write(before, memoryWith(Math.ceil(1.05 * sealedFiles)));
  expect(refused).toMatchObject({ written: null, reason: expect.stringContaining('48 MB') });
  const written = await memory.write(before, large);
  expect(written).toMatchObject({ written: { version: 1 } });
  const read = await start().read(noted(1));
  expect(writeMemory(read.memory) === writeMemory(large)).toBe(true);
}, 180_000);
