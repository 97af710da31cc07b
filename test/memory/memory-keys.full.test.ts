import { afterEach, describe, expect, test } from 'vitest';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { vocabulary } from '../../src/pod/vocabulary.js';
import { getTurtle } from '../../src/solid/documents/get-turtle.js';
import { patchDocument } from '../../src/solid/documents/write-document.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { rekeyPod } from '../support/rekeyed-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import {
  memoryOf,
  namesIn,
  noted,
  nothingKnown,
  startProcess,
  stopProcesses,
} from './memory-support.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;

async function prepare(keyVersion: 1 | 2 = 2) {
  analyser = await createInitialisedPod(server, { keyVersion });
  const { memory } = startProcess(server, analyser);
  await memory.write(await memory.read(nothingKnown), memoryOf('alice'));
  return memory;
}

afterEach(async () => {
  await stopProcesses();
  await analyser.close();
});

/** The same Analyser, started anew with the security key. */
async function restart(securityKey: string) {
  const { webId, appDir } = analyser.pod;
  const pod = await unlockPod(analyser.client, { webId, appDir, securityKey });
  return startProcess(server, { ...analyser, pod }).memory;
}

test.each<[string, 1 | 2]>([
  ['derivation 1 is replaced by 2', 1],
  ['there is a new security key', 2],
])('%s: the memory opens as before, for a running and for a new process', async (_, version) => {
  const running = await prepare(version);
  const before = await running.read(noted(1));
  const securityKey = version === 1 ? analyser.securityKey : 'another security key';
  await rekeyPod(analyser, securityKey);
  expect(await running.read(noted(1))).toMatchObject({ memory: before.memory, isAsStored: true });
  expect(await running.write(await running.read(noted(1)), memoryOf('bob'))).toMatchObject({
    kind: 'written',
  });
  const restarted = await restart(securityKey);
  const after = await restarted.read(noted(2));
  expect(namesIn(after)).toEqual(['bob']);
  expect(after.memory.withheld).toBeNull();
  expect(after.fingerprint('alice')).toEqual(before.fingerprint('alice'));
});

describe('the key of the memory is lost', () => {
  async function forgetKey(url: string) {
    const { indKeys } = analyser.pod.documents;
    const document = await getTurtle(analyser.client, indKeys);
    const predicates = [vocabulary.path, vocabulary.iv, vocabulary.sessionKey];
    const triples = predicates.flatMap((predicate) =>
      (document?.literals(url, predicate) ?? []).map((literal) => ({
        subject: url,
        predicate,
        object: { literal },
      })),
    );
    expect(triples).toHaveLength(3);
    await patchDocument(analyser.client, indKeys, { delete: triples });
  }

  test('it is withheld, and goes on under a new one', async () => {
    const before = await prepare();
    await forgetKey(before.url);
    const { memory } = startProcess(server, analyser);
    const found = await memory.read(noted(1));
    expect(found.memory.withheld).toMatch(/does not open/);
    expect(await memory.write(found, { ...memoryOf('bob'), withheld: 'why' })).toMatchObject({
      kind: 'written',
      version: 2,
    });
    // The process that was running goes on with the new key.
    for (const process of [before, startProcess(server, analyser).memory]) {
      const after = await process.read(noted(2));
      expect(namesIn(after)).toEqual(['bob']);
      expect(after.memory.withheld).toBe('why');
    }
  });

  test('together with the document: a running process makes a new one for both', async () => {
    const running = await prepare();
    await forgetKey(running.url);
    await analyser.client.request(running.url, { method: 'DELETE' });
    await running.write(await running.read(nothingKnown), memoryOf('bob'));
    const keys = await findResourceKeys(analyser.client, analyser.pod, [running.url]);
    expect(keys.size).toBe(1);
    const { memory } = startProcess(server, analyser);
    expect(namesIn(await memory.read(noted(1)))).toEqual(['bob']);
  });

  test('a key that does not open either: nothing can be written, and the sentence says so', async () => {
    const { url } = await prepare();
    const { indKeys } = analyser.pod.documents;
    const second = { subject: url, predicate: vocabulary.sessionKey, object: { literal: 'AAAA' } };
    await patchDocument(analyser.client, indKeys, { insert: [second] });
    const { memory } = startProcess(server, analyser);
    const found = await memory.read(noted(1));
    expect(found.memory.withheld).toMatch(/does not open/);
    const outcome = await memory.write(found, memoryOf('bob'));
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining(indKeys) });
  });
});
