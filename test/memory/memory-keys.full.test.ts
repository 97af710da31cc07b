import { expect, test } from 'vitest';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { rekeyPod } from '../support/rekeyed-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { memoryOf, namesIn, noted, nothingKnown, startProcess } from './memory-support.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;

async function prepare(keyVersion: 1 | 2 = 2) {
  analyser = await createInitialisedPod(server, { keyVersion });
  const memory = startProcess(server, analyser);
  await memory.write(await memory.read(nothingKnown), memoryOf('alice'));
  return memory;
}

/** The same Analyser, started anew with the security key. */
async function restart(securityKey: string) {
  const { webId, appDir } = analyser.pod;
  const pod = await unlockPod(analyser.client, { webId, appDir, securityKey });
  return startProcess(server, { ...analyser, pod });
}

test.each<[string, 1 | 2]>([
  ['derivation 1 is replaced by 2', 1],
  ['there is a new security key', 2],
])('%s: the memory opens as before, for a running and for a new process', async (_, version) => {
  const running = await prepare(version);
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
  expect(after.fingerprint('alice')).toEqual(before.fingerprint('alice'));
});

test('no document keeps the key of the memory, so a rewritten one loses nothing', async () => {
  const running = await prepare();
  const { indKeys } = analyser.pod.documents;
  const { body } = await analyser.client.request(indKeys);
  expect(body.toString()).not.toContain('memory.txt');
  await analyser.client.request(indKeys, { method: 'DELETE' });
  for (const memory of [running, startProcess(server, analyser)]) {
    expect(await memory.read(noted(1))).toMatchObject({ version: 1, isStored: true });
  }
});
