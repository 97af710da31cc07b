import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { emptyMemory } from '../../src/memory/memory.js';
import { writeMemory } from '../../src/memory/memory-format.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { memoryOf, namesIn, noted, nothingKnown, startProcess } from './memory-support.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
});

const start = () => startProcess(server, analyser);

test('looking for a memory writes nothing, and where there is none it is empty', async () => {
  const folder = folderOfPod(analyser.pod.root);
  const before = await takeSnapshot(folder);
  const found = await start().read(nothingKnown);
  expect(found).toMatchObject({ memory: emptyMemory(), version: 0, text: null, isStored: false });
  expect(await takeSnapshot(folder)).toEqual(before);
});

test('what one process wrote another reads, with the same digests', async () => {
  const [one, other] = [start(), start()];
  const memory = memoryOf('alice', 'bob');
  const found = await one.read(nothingKnown);
  expect(await one.write(found, memory)).toMatchObject({ written: { version: 1 } });
  const read = await other.read(noted(1));
  expect(read).toMatchObject({ memory, version: 1, text: writeMemory(memory), isStored: true });
  expect(read.fingerprint('alice')).toEqual(found.fingerprint('alice'));
  expect(read.fingerprint('alice')).not.toEqual(read.fingerprint('bob'));
  expect(await other.write(read, memoryOf('carol'))).toMatchObject({ written: { version: 2 } });
  expect(namesIn(await one.read(noted(1)))).toEqual(['carol']);
});

test('the memory is sealed, in a document that nobody else may read', async () => {
  const memory = start();
  await memory.write(await memory.read(nothingKnown), memoryOf('alice'));
  const { body } = await analyser.client.request(memory.url);
  expect(body.toString()).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(Buffer.from(body.toString(), 'base64').toString('latin1')).not.toContain('alice');
  expect((await fetch(memory.url)).status).toBe(401);
});

test('of two first memories that are written at the same time, one is stored', async () => {
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
  expect(again.fingerprint('')).toEqual(andAgain.fingerprint(''));
});

test('whoever writes outside of the lock is told, and nothing is replaced', async () => {
  const [one, other] = [start(), start()];
  await one.write(await one.read(nothingKnown), memoryOf('alice'));
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
